/** Texts, numbers and pieces of JSON that are easily got wrong. */
import fc from "fast-check"

/** Stands for the text that only one account has; put in when a request is sent. */
export const markPlace = "§mark§"

const nul = String.fromCharCode(0)

/** Texts that are no blanks and have no lone surrogates. */
export const texts: ReadonlyArray<string> = [
  "art",
  `${markPlace} wall`,
  "a b",
  "käse",
  "ﬁx ẞ İ ı",
  "e\u0301 and \u00e9",
  "😀👩‍👩‍👧",
  "\u202eright to left",
  "\u200bzero width",
  "\ufeffmark of byte order",
  `nul ${nul} inside`,
  "line\r\nSet-Cookie: a=b",
  "<script>alert(1)</script>",
  "'; drop table payouts; --",
  "#{7*7} {{7*7}} %s %n",
  "../../etc/passwd",
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "null",
  "true",
  "0",
  "-1",
  "1e400",
  "\\\"'`",
  "\u2028\u2029",
  "Z̷͑a̵̎l̴̀g̶̈o̷",
  "a".repeat(200),
  "😀".repeat(200),
]

export const loneSurrogates: ReadonlyArray<string> = ["\ud800", "a\udfff", "\udc00\ud800"]

export const oddText: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...texts) },
  { weight: 2, arbitrary: fc.string({ unit: "binary", minLength: 1, maxLength: 30 }) },
  { weight: 1, arbitrary: fc.string({ minLength: 1, maxLength: 300 }) },
  { weight: 1, arbitrary: fc.constantFrom(...loneSurrogates) },
)

/** A text that is neither blank nor longer than 200 characters. */
export const nameText: fc.Arbitrary<string> = oddText.filter(
  (text) => text.trim() !== "" && [...text.trim()].length <= 200,
)

/** As JSON writes it, sometimes with every character escaped. */
export const written = (text: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(text, fc.nat({ max: 9 }))
    .map(([value, how]) =>
      how === 0 && !value.includes(markPlace)
        ? `"${Array.from(
            { length: value.length },
            (_, index) => `\\u${value.charCodeAt(index).toString(16).padStart(4, "0")}`,
          ).join("")}"`
        : JSON.stringify(value),
    )

/** Whole numbers of 0 or more that are safe, as JSON writes them. */
export const safeNumber: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 100_000 }).map(String) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ...["1e3", "10.0", "1E+2", "100e-2", "4503599627370496"],
      ...["9007199254740991", "9007199254740990.9999"],
    ),
  },
)

/** Numbers that are no safe whole number of 0 or more. */
export const unsafeNumbers: ReadonlyArray<string> = [
  ...["1e400", "-1e400", "9007199254740992", "9007199254740993", "1e21", "1e308", "-1", "-5e20"],
  ...["0.5", "1.0000001", "-0.1", "5e-324", `1${"0".repeat(400)}`],
]

/** Neither a text, a number, true, false nor null. */
export const structures: ReadonlyArray<string> = [
  ...["[]", "{}", "[[]]", "[null]", "[1,2]", '{"a":1}', '{"__proto__":{"amount":5}}'],
  ...['{"length":1}', '{"toString":1,"valueOf":2}', '{"constructor":{"prototype":{"a":1}}}'],
]

const smallJson: fc.Arbitrary<string> = fc.oneof(
  fc.json({ maxDepth: 3 }),
  fc.constantFrom(...unsafeNumbers, ...structures, "null", "true", "false", "-0", '""'),
  written(oddText),
)

/** Whatever JSON can hold, with keys that objects have of their own. */
export const json: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: smallJson },
  {
    weight: 1,
    arbitrary: fc
      .array(
        fc.tuple(
          fc.constantFrom("__proto__", "constructor", "prototype", "a", "", "0", "toJSON"),
          smallJson,
        ),
        { maxLength: 4 },
      )
      .map(objectOf),
  },
)

/** An object of fields whose values are written already; a key may come twice. */
export function objectOf(fields: ReadonlyArray<readonly [string, string]>): string {
  return `{${fields.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(",")}}`
}
