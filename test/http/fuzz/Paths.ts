/** Paths: ids written in every way there is, and what can be done to the path around them. */
import fc from "fast-check"

/** How an id is written in a path. */
export type Spelling = "usual" | "all bytes" | "all bytes, small letters"

const hexadecimal = (text: string): string =>
  Array.from(
    new TextEncoder().encode(text),
    (byte) => `%${byte.toString(16).padStart(2, "0")}`,
  ).join("")

export const spell = (id: string, spelling: Spelling): string => {
  if (spelling === "usual") return encodeURIComponent(id)
  const bytes = hexadecimal(id)
  return spelling === "all bytes" ? bytes.toUpperCase() : bytes
}

export const spelling: fc.Arbitrary<Spelling> = fc.oneof(
  { weight: 10, arbitrary: fc.constant<Spelling>("usual") },
  { weight: 1, arbitrary: fc.constantFrom<Spelling>("all bytes", "all bytes, small letters") },
)

/** Which id is meant: one that the account has, one that only the other has, or one that nobody has. */
export interface Reference {
  readonly from: "own" | "other" | "nobody"
  readonly pick: number
  readonly text: string
}

const nobodys: ReadonlyArray<string> = [
  ...[
    "nobody",
    "__proto__",
    "constructor",
    "hasOwnProperty",
    "null",
    "undefined",
    "0",
    "-1",
    "*",
    "a b",
    " ",
  ],
  ...[
    "%",
    "%00",
    "%2e%2e",
    "..%2f",
    "../..",
    "a/b",
    "//",
    "\\..\\",
    ".hidden",
    "...",
    "é",
    "e\u0301",
    "😀",
  ],
  ...[
    String.fromCharCode(0),
    "\r\nSet-Cookie: a=b",
    "\n",
    "'; --",
    "<script>",
    "#{7*7}",
    "{{}}",
    ":payout_id",
  ],
  ...[
    "p-active ",
    " p-active",
    "P-ACTIVE",
    "p-active\u0000",
    "p-active\u200b",
    "ada\u0000",
    "Ada",
    "adа",
  ],
  ...[
    "?page=1",
    "#x",
    "a?b",
    "a#b",
    "a&b=c",
    "a;b",
    "a,b",
    "[1]",
    "018f0000-0000-7000-8000-000000000000",
  ],
]

const nobodysId = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...nobodys) },
  {
    weight: 1,
    arbitrary: fc
      .string({ unit: "grapheme", minLength: 1, maxLength: 20 })
      .filter((text) => text.isWellFormed() && text !== "." && text !== ".."),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(300, 5_000, 100_000).map((length) => "x".repeat(length)),
  },
)

export const reference: fc.Arbitrary<Reference> = fc.record({
  from: fc.oneof(
    { weight: 12, arbitrary: fc.constant<Reference["from"]>("own") },
    { weight: 2, arbitrary: fc.constant<Reference["from"]>("other") },
    { weight: 1, arbitrary: fc.constant<Reference["from"]>("nobody") },
  ),
  pick: fc.nat({ max: 1_000 }),
  text: nobodysId,
})

/** What is done to a path as a whole; `§path§` stands for it. */
const tricks: ReadonlyArray<string> = [
  ...[
    "§path§/",
    "/§path§",
    "//§path§",
    "§path§//",
    "/.§path§",
    "/..§path§",
    "/x/..§path§",
    "/v1/..§path§",
  ],
  ...[
    "/%2e%2e§path§",
    "/%2E%2e§path§",
    "§path§/..",
    "§path§/.",
    "§path§/%2e%2e",
    "§path§/%2e",
    "§path§/../..",
  ],
  ...[
    "/./.§path§",
    "\\§path§",
    "§path§\\",
    "§path§%2f",
    "§path§%2F..",
    "§path§%5c",
    "§path§%00",
    "§path§%ZZ",
  ],
  ...[
    "§path§%",
    "§path§%C3%28",
    "§path§%ED%A0%80",
    "§path§%252e%252e",
    "§path§%20",
    "§path§+",
    "§path§;a=b",
  ],
  ...[
    "§path§.json",
    "§path§,",
    "§path§~",
    "§path§*",
    "/api§path§",
    "/v1§path§",
    "/api/v1§path§",
    "/api/v2§path§",
  ],
  ...[
    "/v2§path§",
    "/%76%31/payouts",
    "/v1/%70ayouts",
    "/API/V1/payouts",
    "/V1/payouts",
    "/v1/Payouts",
    "/v1//payouts",
  ],
  ...[
    "/v1",
    "/v1/",
    "/api",
    "/api/v1",
    "/api/v1/",
    "/",
    "",
    "//",
    "/favicon.ico",
    "/robots.txt",
    "/.env",
    "/.git/config",
  ],
  ...[
    "/ready/",
    "/Ready",
    "/docs/",
    "/docs/index.html",
    "/openapi.yaml",
    "/openapi.json/",
    "/v1/ready",
    "/api/v1/docs",
  ],
  ...[
    "/v1/payouts//expense",
    "/v1/payouts/%20/expense",
    "/v1/payouts/./expense",
    "/v1/payouts/../products",
  ],
  ...[
    "/v1/collaborators//products",
    "/v1/collaborators/ada",
    "/v1/collaborators",
    "/v1/collaborators/ada/products/x/y",
  ],
  ...[
    "/v1/payouts/p-active/expense/x",
    "/v1/payouts/p-active/EXPENSE",
    "/v1/payouts/p-active%2Fexpense",
  ],
  ...[
    "/v1/payouts/__proto__",
    "/v1/constructor",
    "/v1/__proto__",
    "/http://shop.test/v1/payouts",
    "/*",
    "/v1/*",
  ],
  ...["§path§#fragment", "§path§#?page=x", "/v1/payouts/:payout_id", "/v1/payouts/%3Apayout_id"],
  `/v1/payouts/${"x".repeat(100_000)}`,
  `/${"x".repeat(100_000)}`,
  `/v1/payouts${"/x".repeat(50_000)}`,
  `/v1/payouts/${"%C3%A9".repeat(20_000)}`,
  `${"/..".repeat(10_000)}§path§`,
  `${"/v1".repeat(10_000)}§path§`,
]

export const pathPlace = "§path§"

export const trick: fc.Arbitrary<string> = fc.oneof(
  { weight: 25, arbitrary: fc.constant(pathPlace) },
  { weight: 1, arbitrary: fc.constantFrom(...tricks) },
)

/** Methods that no endpoint has, or only others; `undefined`: the one of the endpoint. */
export const method: fc.Arbitrary<string | undefined> = fc.oneof(
  { weight: 20, arbitrary: fc.constant(undefined) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ...[
        "GET",
        "HEAD",
        "PUT",
        "POST",
        "DELETE",
        "PATCH",
        "OPTIONS",
        "Patch",
        "FOO",
        "M-SEARCH",
        "LINK",
      ],
      ...["Get", "pUT", "x".repeat(50), "x".repeat(5_000), "$", "__proto__", "PROPFIND", "COPY"],
    ),
  },
)
