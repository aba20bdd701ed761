/** What Shopify calls the only variant of a product that has no options. */
const onlyVariant = "Default Title"

/** A variant's name as Shopify writes it on an order: `Print - A4 / Black`. */
export const variantName = (
  title: string | undefined,
  options: ReadonlyArray<string | undefined>,
): string | undefined => {
  const shown = options.filter((option) => option !== undefined && option !== onlyVariant)
  if (title === undefined || shown.length === 0) return title
  return `${title} - ${shown.join(" / ")}`
}
