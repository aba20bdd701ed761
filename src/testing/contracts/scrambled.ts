const other = (value: unknown): unknown => {
  if (typeof value === "number") return -value - 1
  if (typeof value === "boolean") return !value
  return `${value} changed`
}

/** Changes everything in a value that lets itself be changed. A frozen one stays as it is. */
export const scramble = (value: unknown): void => {
  if (typeof value !== "object" || value === null) return
  for (const name of Object.keys(value)) {
    const field: unknown = Reflect.get(value, name)
    if (typeof field === "object" && field !== null) scramble(field)
    else Reflect.set(value, name, other(field))
  }
  if (Array.isArray(value)) Reflect.set(value, value.length, "changed")
}
