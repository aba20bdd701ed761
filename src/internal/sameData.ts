const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

/** A hot path: what is stored is compared with what follows from the rest. */
const sameFields = (one: object, other: object): boolean => {
  let count = 0
  for (const name of Object.keys(one)) {
    const field: unknown = Reflect.get(one, name)
    if (field === undefined) continue
    if (!Object.hasOwn(other, name) || !sameData(field, Reflect.get(other, name))) return false
    count += 1
  }
  for (const field of Object.values(other)) if (field !== undefined) count -= 1
  return count === 0
}

/** Whether two values are equal as plain data: an absent field equals one that is `undefined`. */
export const sameData = (one: unknown, other: unknown): boolean => {
  if (one === other || !isObject(one) || !isObject(other)) return one === other
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false
    return one.every((entry, index) => sameData(entry, other[index]))
  }
  return sameFields(one, other)
}
