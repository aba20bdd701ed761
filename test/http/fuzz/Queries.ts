/** Queries: the parameters that are known, with fine and wrong values, and everything that looks like them. */
import fc from "fast-check"
import type { Endpoint, Parameter, Reads } from "./Endpoint.js"
import { plain, refused, type Twist } from "./Twist.js"

type Pair = readonly [name: string, value: string]

const finePages = [
  "1",
  "2",
  "3",
  "0",
  "-5",
  "100",
  "%2B2",
  "007",
  "99999999999999999999",
  "9007199254740991",
]
export const wrongPages = [
  "",
  "+2",
  "1e3",
  "1.5",
  "0x10",
  "two",
  "%20",
  "1%00",
  "%ZZ",
  "NaN",
  "Infinity",
  "١",
  "1,2",
  "[1]",
  "null",
]
const fineTimes = ["0", "-62135596800", "253402300799", "1700000000", "%2B1700000000", "-1"]
export const wrongTimes = [
  "",
  "soon",
  "1.5",
  "1e9",
  "1700000000000",
  "-62135596801",
  "2024-01-01",
  "%00",
  "NaN",
  "null",
]
const fineStatuses = [
  "paid",
  "active",
  "pending",
  "failed",
  "manually%20paid",
  "manually+paid",
  "%70aid",
]
const wrongStatuses = [
  "",
  "Paid",
  "paid%00",
  "manually",
  "manually%2Bpaid",
  "manually%2520paid",
  "%20paid",
  "x",
]
const fineIds = [
  "ada",
  "only-first",
  "only-second",
  "nobody",
  "%00",
  "__proto__",
  "..",
  "%F0%9F%98%80",
  "%C3%28",
  "%ED%A0%80",
  "%ZZ",
  "%",
]
const fineSearches = [
  "",
  "art",
  "%20",
  "+ART+",
  "zq",
  "ſ",
  "%F0%9F%98%80",
  "(",
  "%5B",
  "*",
  "%00",
  "%C3",
  "__proto__",
  "%25",
  "a".repeat(5_000),
]
const fineFlags = ["true", "false", "1", "0"]
const wrongFlags = ["", "yes", "TRUE", "2", "null", "%00"]

const bracketed = (name: string, key: string): fc.Arbitrary<string> =>
  fc.constantFrom(`${name}[${key}]`, `${name}%5B${key}%5D`, `${name}%5b${key}]`)

export const parameter = (
  name: string,
  fine: ReadonlyArray<string>,
  wrong: ReadonlyArray<string>,
): Parameter => ({
  name: fc.constant(name),
  fine,
  wrong,
})

const paging = [
  parameter("page", finePages, wrongPages),
  parameter("per_page", finePages, wrongPages),
]

const fineSteps = ["claimed", "sent", "unknown", "confirmed", "rejected", "released", "returned"]

const places = [
  parameter("limit", finePages.slice(0, 8), [...wrongPages, "99999999999999999999"]),
  parameter(
    "after",
    ["0.a", "1700000000.x", "-5.%00", "1700000000.%F0%9F%98%80", "1.5"],
    ["", "x", "1700000000", "1700000000.", ".x", "1e3.x", "999999999999999.x"],
  ),
]

const parameters: Readonly<Record<Reads, ReadonlyArray<Parameter>>> = {
  nothing: [],
  page: paging,
  payouts: [
    ...paging,
    {
      name: bracketed("paidDate", "start_date"),
      fine: ["-62135596800", "0", "-1"],
      wrong: wrongTimes,
    },
    { name: bracketed("paidDate", "end_date"), fine: fineTimes.slice(2, 5), wrong: wrongTimes },
    { name: bracketed("expectedPaymentDate", "start_date"), fine: ["0", "-1"], wrong: wrongTimes },
    {
      name: bracketed("expectedPaymentDate", "end_date"),
      fine: ["253402300799"],
      wrong: wrongTimes,
    },
    parameter("status", fineStatuses, wrongStatuses),
    parameter("collaborator", fineIds, [""]),
    parameter("order", ["asc", "desc"], ["", "DESC", "due"]),
  ],
  products: [
    ...paging,
    parameter("search", fineSearches, []),
    parameter("collaborator", fineIds, [""]),
    parameter("include_collaborators", fineFlags, wrongFlags),
  ],
  payments: [
    ...places,
    parameter("status", fineSteps, [...wrongStatuses, "paid"]),
    parameter("payout", fineIds, [""]),
  ],
  places,
}

/** What looks like a filter by date, and is none. */
const wrongRanges: ReadonlyArray<string> = [
  ...[
    "paidDate=1",
    "paidDate",
    "paidDate[]=1",
    "paidDate[x]=1",
    "paidDate[start_date][x]=1",
    "paidDate[",
  ],
  ...[
    "paidDate[start_date]]=1",
    "paidDate[[start_date]]=1",
    "paidDate[START_DATE]=1",
    "paidDate[__proto__]=1",
  ],
  ...[
    "expectedPaymentDate[]=1&expectedPaymentDate[]=2",
    "paidDate[constructor]=1",
    "paidDate%5B%5D=1",
  ],
  ...["paidDate[start_date]=5&paidDate[end_date]=4", "paidDate[start_date ]=1", "paidDate[%00]=1"],
  ...["expectedPaymentDate[start_date]=5&expectedPaymentDate[end_date]=-5"],
  `paidDate[${"x".repeat(5_000)}]=1`,
  Array.from({ length: 500 }, (_, index) => `paidDate[${index}]=${index}`).join("&"),
]

/** What nobody asks for, and changes nothing. */
const ignored: ReadonlyArray<string> = [
  ...[
    "",
    "&",
    "&&&=",
    "=",
    "x",
    "x=1&x=2",
    "page[]=2",
    "page%00=2",
    "PAGE=two",
    "Per_page=x",
    "?page=x",
  ],
  ...[
    "__proto__[page]=2",
    "__proto__=1",
    "constructor[prototype][page]=2",
    "prototype=1",
    "toString=1",
  ],
  ...[
    "paiddate[start_date]=x",
    "paidDate.start_date=x",
    "paid_date=x",
    "status[]=x",
    "status[0]=paid",
  ],
  ...[
    "search[]=x",
    "%70age%20=x",
    "a=%ZZ",
    "%ZZ=a",
    "%",
    "%C3%28=%FF",
    "a=%00",
    "😀=😀",
    ";page=2",
  ],
  ...["expectedPaymentDate%255Bstart_date%255D=x", "a".repeat(10_000), "token=first-token"],
]

const finePair = ({ name, fine }: Parameter): fc.Arbitrary<Pair> =>
  fc.tuple(name, fc.constantFrom(...fine))

const textOf = (pairs: ReadonlyArray<Pair>): string =>
  pairs.map(([name, value]) => `${name}=${value}`).join("&")

const fineQuery = (known: ReadonlyArray<Parameter>): fc.Arbitrary<string> =>
  fc
    .tuple(...known.map((one) => fc.option(finePair(one), { nil: undefined, freq: 1 })))
    .map((pairs) => textOf(pairs.filter((pair) => pair !== undefined)))

const wrongPair = ({ name, wrong }: Parameter): fc.Arbitrary<string> =>
  fc.tuple(name, fc.constantFrom(...wrong)).map(([key, value]) => `${key}=${value}`)

const twice = (one: Parameter): fc.Arbitrary<string> =>
  fc.tuple(finePair(one), finePair(one)).map((pairs) => textOf(pairs))

const parametersOf = (reads: Endpoint["reads"]): ReadonlyArray<Parameter> =>
  typeof reads === "string" ? parameters[reads] : reads

const wrongQuery = (reads: Endpoint["reads"]): fc.Arbitrary<string> => {
  const known = parametersOf(reads)
  return fc.oneof(
    ...known.filter(({ wrong }) => wrong.length > 0).map(wrongPair),
    ...known.map(twice),
    ...(reads === "payouts" ? [fc.constantFrom(...wrongRanges)] : []),
  )
}

const together = (...parts: ReadonlyArray<fc.Arbitrary<string>>): fc.Arbitrary<string> =>
  fc.tuple(...parts).map((texts) => texts.filter((text) => text !== "").join("&"))

const noise = fc.constantFrom(...ignored)

/** Queries of an endpoint, without their question mark. */
export const queries = (reads: Endpoint["reads"]): fc.Arbitrary<Twist<string>> => {
  if (reads === "nothing") {
    const idle = fc.oneof(
      noise,
      fc.constantFrom("page=x", "paidDate=1"),
      fineQuery(parameters.payouts),
    )
    return fc
      .oneof({ weight: 6, arbitrary: fc.constant("") }, { weight: 1, arbitrary: idle })
      .map(plain)
  }
  const fine = fineQuery(parametersOf(reads))
  return fc.oneof(
    { weight: 5, arbitrary: fc.constant(plain("")) },
    { weight: 6, arbitrary: fine.map(plain) },
    { weight: 2, arbitrary: together(fine, noise).map(plain) },
    { weight: 3, arbitrary: wrongQuery(reads).map((text) => refused(text, 422)) },
    { weight: 1, arbitrary: together(noise, wrongQuery(reads)).map((text) => refused(text, 422)) },
  )
}
