/** The objects in a Shopify document: bare as in a webhook, or wrapped as the admin API sends them. */
import * as reader from "../../internal/reader.js"

/** One object, and where it stands in the document. */
export interface Found {
  readonly path: string
  readonly value: unknown
}

export interface Wrappers {
  readonly one: string
  readonly many: string
}

const join = (prefix: string, path: string): string => {
  if (prefix === "" || path === "") return prefix + path
  return path.startsWith("[") ? prefix + path : `${prefix}.${path}`
}

/** The elements of a list, up to the first place where nothing stands: there it can't be read. */
const elements = (path: string, values: ReadonlyArray<unknown>): ReadonlyArray<Found> => {
  const found: Array<Found> = []
  for (let index = 0; index < values.length; index += 1) {
    found.push({ path: `${path}[${index}]`, value: values[index] })
    if (values[index] === undefined) break
  }
  return found
}

const unwrapped = (input: unknown, wrappers: Wrappers): ReadonlyArray<Found> => {
  if (Array.isArray(input)) return elements("", input)
  if (!reader.isFields(input)) return [{ path: "", value: input }]
  const many = input[wrappers.many]
  if (Array.isArray(many)) return elements(wrappers.many, many)
  if (Object.hasOwn(input, wrappers.many) && !Object.hasOwn(input, "id")) {
    return [{ path: wrappers.many, value: many }]
  }
  const isWrapped = Object.hasOwn(input, wrappers.one) && !Object.hasOwn(input, "id")
  return [
    isWrapped ? { path: wrappers.one, value: input[wrappers.one] } : { path: "", value: input },
  ]
}

/** What is found in a value; one that throws when it is looked at stands for itself, and is then refused. */
export const looked = <A>(look: () => A, otherwise: A): A => {
  try {
    return look()
  } catch {
    return otherwise
  }
}

/** Every object of a document, each with its path; a list stands for the objects in it. */
export const find = (input: unknown, wrappers: Wrappers, prefix = ""): ReadonlyArray<Found> =>
  looked(() => unwrapped(input, wrappers), [{ path: "", value: input }]).map(({ path, value }) => ({
    path: join(prefix, path),
    value,
  }))
