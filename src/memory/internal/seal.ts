/**
 * A copy of plain data that nobody can change: what is stored is no longer the caller's, and what is
 * given out can be given out as it is.
 */
export const sealed = <A>(value: A): A => {
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return Object.freeze(value.map(sealed)) as A
  const copy: A & object = { ...value }
  for (const name of Object.keys(copy)) {
    const field: unknown = Reflect.get(copy, name)
    if (typeof field === "object" && field !== null) Reflect.set(copy, name, sealed(field))
  }
  return Object.freeze(copy)
}
