/** Where one is in the console: the part of the address behind `#`, so that one static file has every view. */
import { signal } from "@preact/signals"

/** As `#/payouts/p1?tab=items`: the names of its path, and its query. */
export interface Route {
  readonly names: ReadonlyArray<string>
  readonly query: URLSearchParams
}

const decoded = (name: string): string => {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

const read = (hash: string): Route => {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split(/\?(.*)/s)
  return {
    names: path
      .split("/")
      .filter((name) => name !== "")
      .map(decoded),
    query: new URLSearchParams(query),
  }
}

/** Where one is. */
export const route = signal<Route>(read(location.hash))

addEventListener("hashchange", () => {
  route.value = read(location.hash)
})

/** What a query selects: parameters without a value are left out. */
export type QueryValues = Readonly<Record<string, string | number | undefined>>

/** A query as text, with its `?`. */
export const queryOf = (selection: QueryValues): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(selection)) {
    if (value !== undefined && value !== "") query.set(name, String(value))
  }
  const text = query.toString()
  return text === "" ? "" : `?${text}`
}

/** An address within the console. */
export const link = (names: ReadonlyArray<string>, selection: QueryValues = {}): string =>
  `#/${names.map(encodeURIComponent).join("/")}${queryOf(selection)}`

/** Goes there, as a link does, but at once: what is left asks for nothing any more. */
export const go = (names: ReadonlyArray<string>, selection: QueryValues = {}): void => {
  location.hash = link(names, selection)
  route.value = read(location.hash)
}

/** Changes the query of where one is; going back does not pass through each change. */
export const select = (selection: QueryValues): void => {
  const merged: Record<string, string | number | undefined> = {
    ...Object.fromEntries(route.value.query),
    ...selection,
  }
  history.replaceState(null, "", link(route.value.names, merged))
  route.value = read(location.hash)
}
