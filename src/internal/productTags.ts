/** What a platform says of a product besides its tags, as tags with a prefix, so that rules can select by it. */
import { foldText } from "../orders/Product.js"
import type { Problem } from "../Problem.js"
import { describe } from "./reader.js"

/** What can be brought as a tag; its name with a colon is the prefix. */
export type TagSource = "variant" | "sku" | "type" | "category" | "collection"

/** The order of the tags: what a product's variants have in common comes before what each has for itself. */
const order: ReadonlyArray<TagSource> = ["type", "category", "collection", "variant", "sku"]

/** What is known of a product. */
export type BroughtTags<Source extends TagSource> = Readonly<
  Partial<Record<Source, ReadonlyArray<string | undefined>>>
>

/** Tags of the shop that begin like these are kept behind this prefix. */
const own = "tag:"

/**
 * The tags of the shop, and those that are brought. A tag of the shop that begins with a prefix in use gets `tag:` in
 * front, so that what a prefix says is always the platform's.
 */
export const withBrought = <Source extends TagSource>(
  tags: ReadonlyArray<string>,
  sources: ReadonlyArray<Source> | undefined,
  brought: BroughtTags<Source>,
): ReadonlyArray<string> => {
  if (sources === undefined || sources.length === 0) return tags
  const prefixes = [own, ...sources.map((source) => `${source}:`)]
  const isTaken = (tag: string) => prefixes.some((prefix) => foldText(tag).startsWith(prefix))
  const sorted = sources.toSorted((one, other) => order.indexOf(one) - order.indexOf(other))
  const values = sorted.flatMap((source) =>
    (brought[source] ?? []).flatMap((value) => (value === undefined ? [] : [`${source}:${value}`])),
  )
  return [...new Set([...tags.map((tag) => (isTaken(tag) ? `${own}${tag}` : tag)), ...values])]
}

/** What is wrong with the sources that were asked for. */
export const sourceProblems = (
  asked: ReadonlyArray<unknown> | undefined,
  known: ReadonlyArray<TagSource>,
): ReadonlyArray<Problem> =>
  (asked ?? []).flatMap((value, index) => {
    const message = `must be one of ${known.join(", ")}, got ${describe(value)}`
    const isKnown = known.some((source) => source === value)
    return isKnown ? [] : [{ path: `tagsFrom[${index}]`, value, message }]
  })
