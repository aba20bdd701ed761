/** Tags that one variant of a product has for itself, as platforms bring them: its id and its SKU. */
import { fold } from "./attributeText.js"

/** Prefixes of tags that say which variant it is. */
export const variantPrefixes = ["variant:", "sku:"] as const

const isOfVariant = (tag: string): boolean => {
  const folded = fold(tag)
  return variantPrefixes.some((prefix) => folded.startsWith(prefix))
}

/** The tags without those that say which variant it is. */
export const ofAllVariants = (
  tags: ReadonlyArray<string> | undefined,
): ReadonlyArray<string> | undefined =>
  tags?.some(isOfVariant) === true ? tags.filter((tag) => !isOfVariant(tag)) : tags
