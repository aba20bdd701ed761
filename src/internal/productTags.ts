/** What a platform says of a product besides its tags, as tags or ids with a prefix, so that rules can select by it. */
import { broughtFacts as sources } from "../orders/Attribute.js"
import { foldText, type Product } from "../orders/Product.js"
import type { Problem } from "../Problem.js"
import { describe } from "./reader.js"

/** What can be brought as a tag or an id; its name with a colon is the prefix. */
export type TagSource = (typeof sources)[number]

/** What is known of a product. */
export type BroughtTags<Source extends TagSource> = Readonly<
  Partial<Record<Source, ReadonlyArray<string | undefined>>>
>

/** What of it is asked for. */
export interface AskedSources<Source extends TagSource> {
  readonly tagsFrom?: ReadonlyArray<Source> | undefined
  readonly idsFrom?: ReadonlyArray<Source> | undefined
}

/** Tags of the shop that begin like these are kept behind this prefix. */
const own = "tag:"

const inOrder = <Source extends TagSource>(
  asked: ReadonlyArray<Source>,
  brought: BroughtTags<Source>,
): ReadonlyArray<string> => {
  const sorted = asked.toSorted((one, other) => sources.indexOf(one) - sources.indexOf(other))
  return sorted.flatMap((source) =>
    (brought[source] ?? []).flatMap((value) => (value === undefined ? [] : [`${source}:${value}`])),
  )
}

/**
 * The tags of the shop, and those that are brought. A tag of the shop that begins with a prefix in use gets `tag:` in
 * front, so that what a prefix says is always the platform's.
 */
const withBrought = <Source extends TagSource>(
  tags: ReadonlyArray<string>,
  asked: ReadonlyArray<Source> = [],
  brought: BroughtTags<Source>,
): ReadonlyArray<string> => {
  if (asked.length === 0) return tags
  const prefixes = [own, ...asked.map((source) => `${source}:`)]
  const isTaken = (tag: string) => prefixes.some((prefix) => foldText(tag).startsWith(prefix))
  const kept = tags.map((tag) => (isTaken(tag) ? `${own}${tag}` : tag))
  return [...new Set([...kept, ...inOrder(asked, brought)])]
}

/** The ids that are brought; none where none is asked for. */
export const idsBrought = <Source extends TagSource>(
  asked: ReadonlyArray<Source> = [],
  brought: BroughtTags<Source>,
): Pick<Product, "otherIds"> =>
  asked.length === 0 ? {} : { otherIds: [...new Set(inOrder(asked, brought))] }

/** The tags of a product of the shop, and its ids beside its own, with all that is brought. */
export const bringing = <Source extends TagSource>(
  tags: ReadonlyArray<string>,
  { tagsFrom, idsFrom }: AskedSources<Source>,
  brought: BroughtTags<Source>,
): Pick<Product, "tags" | "otherIds"> => ({
  tags: withBrought(tags, tagsFrom, brought),
  ...idsBrought(idsFrom, brought),
})

/** What a variant has for itself, and what it has from its product. */
export const withThoseOf = (
  own: Pick<Product, "tags" | "otherIds">,
  base: Pick<Product, "tags" | "otherIds"> | undefined,
): Pick<Product, "tags" | "otherIds"> => {
  const ids = [...(base?.otherIds ?? []), ...(own.otherIds ?? [])]
  return {
    tags: [...new Set([...(base?.tags ?? []), ...(own.tags ?? [])])],
    ...(ids.length === 0 ? {} : { otherIds: [...new Set(ids)] }),
  }
}

/** What is wrong with the sources that were asked for. */
export const sourceProblems = (
  asked: AskedSources<TagSource>,
  known: ReadonlyArray<TagSource>,
): ReadonlyArray<Problem> =>
  (["tagsFrom", "idsFrom"] as const).flatMap((option) =>
    (asked[option] ?? []).flatMap((value, index) => {
      const message = `must be one of ${known.join(", ")}, got ${describe(value)}`
      const isKnown = known.some((source) => source === value)
      return isKnown ? [] : [{ path: `${option}[${index}]`, value, message }]
    }),
  )
