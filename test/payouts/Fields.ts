const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** A value again and again, each time with another one of its fields left out; with their paths. */
export const withoutEach = (
  value: Readonly<Record<string, unknown>>,
): ReadonlyArray<readonly [path: string, value: object]> =>
  Object.keys(value).flatMap((key) => {
    const { [key]: field, ...rest } = value
    const inside = isFields(field) ? withoutEach(field) : []
    return [
      [key, rest] as const,
      ...inside.map(([path, less]) => [`${key}.${path}`, { ...value, [key]: less }] as const),
    ]
  })
