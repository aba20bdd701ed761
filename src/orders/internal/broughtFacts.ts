/** What platforms say of a product besides its id, vendor and tags: brought as tags, or as ids, each with a prefix. */
import { fold } from "./attributeText.js"

/** What can be brought; its name with a colon is the prefix. What all variants have in common comes first. */
export const sources = ["type", "category", "collection", "variant", "sku"] as const

const prefixes: ReadonlyArray<string> = sources.map((source) => `${source}:`)

/** Prefixes of what says which variant it is: its id and its SKU. */
export const variantPrefixes = ["variant:", "sku:"] as const

const isOfVariant = (brought: string): boolean => {
  const folded = fold(brought)
  return variantPrefixes.some((prefix) => folded.startsWith(prefix))
}

/** Tags or further ids without those that say which variant it is. */
export const ofAllVariants = (
  brought: ReadonlyArray<string> | undefined,
): ReadonlyArray<string> | undefined =>
  brought?.some(isOfVariant) === true ? brought.filter((each) => !isOfVariant(each)) : brought

/** Whether an id is written as those that products bring, such as `sku:PRINT-A4`. */
export const isBroughtId = (id: string): boolean => prefixes.some((prefix) => id.startsWith(prefix))
