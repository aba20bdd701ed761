import { MassPayment, Payouts } from "apportion/rails/paypal"
import { Transfers } from "apportion/rails/stripe"
import { BatchFile, type Unwritable } from "apportion/rails/wise"
import { parse } from "csv-parse/sync"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { oddNames } from "./OddNames.js"

/** More names as people have them, and as those write them who mean harm: lengths at every limit, control characters. */
const more: ReadonlyArray<string> = [
  ..."Zoë Müßig;Søren Ærø;Łukasz Żółć;Γιώργος Παπάς;Щукин Юрий;山田太郎;김민준;محمد علي;יעל כהן".split(
    ";",
  ),
  ..."Nguyễn Thị Ánh;O’Neil;D'Arcy;Jean-Luc;J. R. R.;Mary, Jr.;Müller & Söhne;Ada/Bob;50% Art;#1 Band".split(
    ";",
  ),
  ...[
    "Ana\u0301 Bele\u0301n",
    "\u1112\u1161\u11ab",
    "ﬁne",
    "Ｆｕｌｌ",
    "ǅ",
    "İstanbul ı",
    "ẞ",
    "ſ",
  ],
  ...["Ada 🎉", "👩‍👩‍👧‍👦", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🇩🇪", "A\ufe0f", "👍🏽", "\u2764\ufe0f"],
  ...[
    'say "hi"',
    '""',
    '"',
    "'",
    "`x`",
    "a;b",
    "a\tb",
    "a,b,c",
    "a|b",
    "back\\slash",
    "<b>Ada</b>",
    "&amp;",
  ],
  ...[
    "",
    " ",
    "  ",
    " Ada ",
    "\u00a0Ada\u00a0",
    "\u3000",
    "Ada  Lovelace",
    "\u200b",
    "\u200bAda",
    "\u00ad",
  ],
  ...[
    "=1+1",
    "+49 30",
    "-Ada",
    "@ada",
    '=HYPERLINK("http://a.b")',
    "=cmd|' /C calc'!A0",
    " =1",
    "\t=1",
    "'=1",
  ],
  ...["a\nb", "a\rb", "a\r\nb", "\n", "a\u2028b", "a\u2029b", "a\u0085b", "a\u000bb", "a\u000cb"],
  ...["\u202eevil", "a\u202db", "\u2066a\u2069", "\u200fa", "\u061ca", "a\u200eb", "\ufeffAda"],
  ...[
    "\ud800",
    "a\udc00b",
    "\uffff",
    "\ufdd0",
    "\ue000",
    "\u{10ffff}",
    "\u{1f}",
    "\u007f",
    "\u0000",
  ],
  ...Array.from({ length: 32 }, (_, code) => `a${String.fromCharCode(code)}b`),
  ...Array.from({ length: 32 }, (_, code) => `a${String.fromCharCode(0x80 + code)}b`),
  ...[1, 9, 10, 11, 17, 18, 19, 34, 35, 36, 69, 70, 71, 126, 127, 128].map((length) =>
    "A".repeat(length),
  ),
  ...[139, 140, 141, 254, 255, 256, 499, 500, 501, 999, 1_000, 1_001].map((length) =>
    "ü".repeat(length),
  ),
  ...[5, 10, 11, 140, 141, 500, 501, 1_000, 1_001].map((length) => "🎉".repeat(length)),
  ...[
    "null",
    "undefined",
    "NaN",
    "true",
    "0",
    "007",
    "1e9",
    "1,5",
    "constructor",
    "__proto__",
    "toString",
  ],
  ...[
    "%00",
    "%0a",

    "{{1}}",
    "$(ls)",
    "; rm -rf",
    "' OR 1=1 --",
    "../../etc",
    "\\n",
    "\\u0000",
  ],
]

const names: ReadonlyArray<string> = [...new Set([...oddNames, ...more])]

const instruction = { key: "at-1", amount: 1999, currency: "EUR", collaboratorId: "ada" }

/** What the rail gets to read, by a parser that is not ours, or the refusal. */
type Told = { readonly text: string | undefined } | { readonly refused: Unwritable }

const told = <A>(made: Result.Result<A, Unwritable>, read: (made: A) => string | undefined): Told =>
  Result.match(made, {
    onSuccess: (success) => ({ text: read(success) }),
    onFailure: (refused) => ({ refused }),
  })

const csv = (file: string): ReadonlyArray<ReadonlyArray<string>> =>
  parse(file, { record_delimiter: "\r\n" })

const rails: Readonly<Record<string, { path: string; tell: (name: string) => Told }>> = {
  "PayPal's file": {
    path: "transfers[0].reference",
    tell: (reference) => {
      const recipient = { email: "ada@example.com" }
      const file = MassPayment.write({ transfers: [{ ...instruction, reference, recipient }] })
      return told(file, (text) => csv(text)[0]?.[4])
    },
  },
  "PayPal's API": {
    path: "transfers[0].reference",
    tell: (reference) => {
      const recipient = { email: "ada@example.com" }
      const transfers = [{ ...instruction, reference, recipient }]
      return told(
        Payouts.create({ id: "at-1", transfers }),
        ({ body }) => JSON.parse(body ?? "").items[0].note,
      )
    },
  },
  "Wise's file, as the name": {
    path: "transfers[0].recipient.name",
    tell: (name) => {
      const recipient = { name, account: { IBAN: "DE89370400440532013000" } }
      const transfers = [{ ...instruction, reference: "May", recipient }]
      const file = BatchFile.write({ sourceCurrency: "EUR", transfers })
      return told(file, (text) => csv(text)[1]?.[0])
    },
  },
  "Wise's file, as the reference": {
    path: "transfers[0].reference",
    tell: (reference) => {
      const recipient = { name: "Ada", account: { IBAN: "DE89370400440532013000" } }
      const transfers = [{ ...instruction, reference, recipient }]
      const file = BatchFile.write({ sourceCurrency: "EUR", transfers })
      return told(file, (text) => csv(text)[1]?.[2])
    },
  },
  "Stripe's API": {
    path: "reference",
    tell: (reference) => {
      const made = Transfers.create({ ...instruction, reference, recipient: { account: "acct_1" } })
      return told(
        made,
        ({ body }) => new URLSearchParams(body ?? "").get("description") ?? undefined,
      )
    },
  },
}

describe("an odd name at PayPal, Wise or Stripe", () => {
  it("is one of 400", () => {
    expect(names.length).toBeGreaterThanOrEqual(400)
  })

  it.each(Object.keys(rails))(
    "fits into %s as it is, or is refused with the field named",
    (rail) => {
      const { path, tell } = rails[rail] ?? { path: "", tell: () => ({ text: undefined }) }
      const counts = { fits: 0, refused: 0 }
      for (const name of names) {
        const result = tell(name)
        if ("refused" in result) {
          counts.refused += 1
          expect(result.refused.problems.map((problem) => [problem.path, problem.value])).toEqual([
            [path, name],
          ])
        } else {
          counts.fits += 1
          expect(result.text).toBe(name.normalize("NFC").trim())
        }
      }
      expect(counts.fits).toBeGreaterThan(60)
      expect(counts.refused).toBeGreaterThan(60)
    },
  )

  it("never breaks a file's lines, begins a formula or turns what stands beside it", () => {
    for (const [rail, { tell }] of Object.entries(rails)) {
      for (const name of names) {
        const result = tell(name)
        if (!("text" in result)) continue
        expect(result.text, rail).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u)
        if (rail.includes("file")) expect(result.text, rail).not.toMatch(/^[=+\-@]/)
      }
    }
  })
})
