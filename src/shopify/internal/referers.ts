/** Where the buyer came from, in all the ways an order says it. */
import * as reader from "../../internal/reader.js"
import { notBlank } from "./documents.js"

/** The parameters of a landing page's address that say who sent the buyer. */
export const defaultParameters: ReadonlyArray<string> = [
  "ref",
  "source",
  "r",
  "referer",
  "referrer",
  "utm_source",
]

const hostOf = (address: string | undefined): string | undefined =>
  /^\s*(?:[a-z][a-z0-9+.-]*:)?\/\/(?:[^/?#@]*@)?([^/?#:\s]+)/i
    .exec(address ?? "")?.[1]
    ?.toLowerCase()

/** The address may be a whole one or only a path; what follows `#` never reached the shop. */
const parametersOf = (address: string | undefined): URLSearchParams => {
  const [beforeFragment = ""] = (address ?? "").split("#")
  const start = beforeFragment.indexOf("?")
  return new URLSearchParams(start < 0 ? "" : beforeFragment.slice(start + 1))
}

const valuesOf = (
  address: string | undefined,
  names: ReadonlyArray<string>,
): ReadonlyArray<string> => {
  const wanted = new Set(names.map((name) => name.toLowerCase()))
  return [...parametersOf(address)]
    .filter(([name]) => wanted.has(name.toLowerCase()))
    .map(([, value]) => value)
}

export const readReferers = (
  node: reader.Node,
  parameters: ReadonlyArray<string>,
): ReadonlyArray<string> => {
  const site = reader.text(node, "referring_site")
  const landing = reader.text(node, "landing_site")
  const all = notBlank([
    reader.text(node, "landing_site_ref"),
    site,
    hostOf(site),
    ...valuesOf(landing, parameters),
  ])
  return [...new Set(all)]
}
