/** The rate of a tax, as inputs write it: a number, or the text of one. */
const parse = (value: unknown): number | undefined => {
  if (typeof value === "string" && !/^\d{1,9}(?:\.\d{1,9})?$/.test(value)) return undefined
  const number = typeof value === "string" ? Number(value) : value
  return typeof number === "number" && Number.isFinite(number) ? number : undefined
}

/** How it is read from a field. */
export const taxPercent = { parse, expected: "a number, as 21 or 5.5" }
