/** Keeps the segments of a catalogue few: small ones are merged, and ones in which much has gone made anew. */
import { merge, type Segment } from "./Segment.js"
import type { Vocabulary } from "./Vocabulary.js"

/** So many segments of about one size may follow each other. */
const width = 8

/** Segments of one tier are of about one size. */
const tierOf = ({ live }: Segment): number => Math.floor(Math.log2(live) / 3)

/** How many of the last segments are to become one; 1: none. */
const lastOfATier = (segments: ReadonlyArray<Segment>): number => {
  const last = segments.at(-1)
  if (last === undefined) return 1
  const tier = tierOf(last)
  const before = segments.findLastIndex((segment) => tierOf(segment) > tier)
  const run = segments.length - 1 - before
  return run < width ? 1 : run
}

const isMostlyGone = ({ live, postings }: Segment): boolean => live * 2 < postings.products.length

/**
 * The same products in the same order, in few segments. Each product is moved a number of times that grows
 * with the logarithm of the catalogue, so that changes cost in proportion to themselves in the long run.
 */
export const tidy = (
  vocabulary: Vocabulary,
  segments: ReadonlyArray<Segment>,
): ReadonlyArray<Segment> => {
  const tidied = segments
    .filter(({ live }) => live > 0)
    .map((segment) => (isMostlyGone(segment) ? merge(vocabulary, [segment]) : segment))
  for (let run = lastOfATier(tidied); run > 1; run = lastOfATier(tidied)) {
    tidied.push(merge(vocabulary, tidied.splice(-run)))
  }
  return tidied
}
