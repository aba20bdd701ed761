import * as reader from "../../internal/reader.js"

/** The texts that are not blank, without blanks around them. */
export const notBlank = (texts: ReadonlyArray<string | undefined>): ReadonlyArray<string> =>
  texts.flatMap((text) => {
    const trimmed = text?.trim() ?? ""
    return trimmed === "" ? [] : [trimmed]
  })

/** Tags as Shopify writes them: separated by commas; newer payloads have a list. */
export const tags = (node: reader.Node, key: string): ReadonlyArray<string> => {
  const value = reader.field(node, key)
  if (Array.isArray(value)) return notBlank(reader.texts(node, key) ?? [])
  if (value === undefined || typeof value === "string") return notBlank((value ?? "").split(","))
  reader.refuse(node, key, "a text of tags separated by commas")
  return []
}

/** A text, or `undefined` when it is blank. */
export const filled = (node: reader.Node, key: string): string | undefined =>
  notBlank([reader.text(node, key)])[0]

// The objects in a Shopify document: bare as in a webhook, or wrapped as the admin API sends them.

/** One object, and where it stands in the document. */
export interface FoundObject {
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
const elements = (path: string, values: ReadonlyArray<unknown>): ReadonlyArray<FoundObject> => {
  const found: Array<FoundObject> = []
  for (let index = 0; index < values.length; index += 1) {
    found.push({ path: `${path}[${index}]`, value: values[index] })
    if (values[index] === undefined) break
  }
  return found
}

const unwrapped = (input: unknown, wrappers: Wrappers): ReadonlyArray<FoundObject> => {
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
export const find = (input: unknown, wrappers: Wrappers, prefix = ""): ReadonlyArray<FoundObject> =>
  looked(() => unwrapped(input, wrappers), [{ path: "", value: input }]).map(({ path, value }) => ({
    path: join(prefix, path),
    value,
  }))
