const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

const fieldsOf = (value: object): ReadonlyArray<string> =>
  Object.keys(value).filter((name) => Reflect.get(value, name) !== undefined)

const sameFields = (one: object, other: object): boolean => {
  const names = fieldsOf(one)
  return (
    names.length === fieldsOf(other).length &&
    names.every(
      (name) =>
        Object.hasOwn(other, name) && sameData(Reflect.get(one, name), Reflect.get(other, name)),
    )
  )
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
