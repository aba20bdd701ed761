/** Headers of requests: tokens, request ids, idempotency keys, and what has no effect. */
import fc from "fast-check"
import { plain, refused, type Twist } from "./Twist.js"

/** Stands for a token of the account that asks. */
export const tokenPlace = "§token§"

export type Pair = readonly [name: string, value: string]

const latin = "\u00e9\u00ff"
const control = String.fromCharCode(1)

const wrongTokens: ReadonlyArray<string> = [
  ...[
    "",
    "Bearer",
    "Bearer ",
    "Basic §token§",
    "Token §token§",
    "§token§",
    "Bearer:§token§",
    "Bearer=§token§",
  ],
  ...[
    "Bearer §token§x",
    "Bearer x§token§",
    "Bearer §token§ x",
    "Bearer §token§,§token§",
    "Bearer §token§;",
  ],
  ...[
    "Bearer §token§, Bearer §token§",
    "Bearer, §token§",
    "Bearer  , §token§",
    'Bearer "§token§"',
    "Bearer §token§%00",
  ],
  ...[
    "Bearer Bearer §token§",
    "bearer\t§token§",
    "Bearer null",
    "Bearer undefined",
    "Bearer __proto__",
  ],
  ...[
    "Bearer constructor",
    "Bearer *",
    "Bearer FIRST-TOKEN",
    "Bearer ..",
    "Digest username=a",
    "Bearer\u00a0§token§",
  ],
  `Bearer §token§${latin}`,
  `Bearer §token§${control}`,
  `Bearer ${"a".repeat(4_000)}`,
  `Bearer ${"a".repeat(100_000)}`,
  `Bearer${" ".repeat(50_000)}`,
  `${"Bearer ".repeat(10_000)}`,
]

const fineTokens = ["bearer §token§", "BEARER §token§", "Bearer    §token§", "  Bearer §token§   "]

/** `undefined`: there is no such header. */
export const authorization: fc.Arbitrary<Twist<string | undefined>> = fc.oneof(
  { weight: 60, arbitrary: fc.constant(plain(`Bearer ${tokenPlace}`)) },
  { weight: 3, arbitrary: fc.constantFrom(...fineTokens).map(plain) },
  { weight: 1, arbitrary: fc.constant(refused(undefined, 401)) },
  { weight: 3, arbitrary: fc.constantFrom(...wrongTokens).map((text) => refused(text, 401)) },
)

const wrongKeys = [
  "",
  " ",
  "\t",
  "a".repeat(256),
  "a".repeat(50_000),
  latin,
  `a${control}`,
  "a\tb",
  "\u0080",
]

/** Few of them, so that they come again with the same and with other requests. */
const fineKeys = fc.oneof(
  fc.nat({ max: 40 }).map((key) => `key-${key}`),
  fc.constantFrom(
    "__proto__",
    "constructor",
    "a b",
    '"',
    "~!@#$%^&*()",
    "a, b",
    "a".repeat(255),
    "%00",
    "null",
  ),
)

export const idempotencyKey: fc.Arbitrary<Twist<string | undefined>> = fc.oneof(
  { weight: 12, arbitrary: fc.constant(plain(undefined)) },
  { weight: 6, arbitrary: fineKeys.map((key) => plain(key)) },
  { weight: 1, arbitrary: fc.constantFrom(...wrongKeys).map((key) => refused(key, 422)) },
)

const fineId = fc.constantFrom("r1", "Abc-1.2_3", "x".repeat(128), "..", "-", "__proto__")

const wrongId = fc.constantFrom(
  ...[
    "",
    "x".repeat(129),
    "x".repeat(50_000),
    "a b",
    "a/b",
    "<x>",
    "a,b",
    "%0d%0aSet-Cookie:a=b",
    "a\tb",
  ],
  ...["a;b", "\\r\\nX-Injected: 1", latin, control, "a=b", "é"],
)

export const isUsableId = (id: string): boolean => id.length <= 128 && /^[A-Za-z0-9._-]+$/.test(id)

export const requestId: fc.Arbitrary<string | undefined> = fc.oneof(
  { weight: 6, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fineId },
  { weight: 1, arbitrary: wrongId },
)

const types = [
  ...[
    "application/json",
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
  ],
  ...[
    "application/json; charset=utf-16",
    "application/xml",
    "",
    "junk",
    "application/json,text/html",
    "a/b;c",
  ],
]

const idle: ReadonlyArray<Pair> = [
  ...types.map((type): Pair => ["content-type", type]),
  ...["*/*", "text/html", "application/xml;q=1", "", "image/*"].map(
    (type): Pair => ["accept", type],
  ),
  ...["gzip", "br", "identity", "junk", "deflate, gzip"].map(
    (coding): Pair => ["content-encoding", coding],
  ),
  ...["10", "0", "junk", "-1", "1e9", "0x10", "5, 5", "1048576"].map(
    (length): Pair => ["content-length", length],
  ),
  ["transfer-encoding", "chunked, identity"],
  ["x-http-method-override", "DELETE"],
  ["x-forwarded-host", "evil.test"],
  ["x-forwarded-proto", "https"],
  ["x-forwarded-for", "127.0.0.1"],
  ["x-original-url", "/v1/payouts"],
  ["x-rewrite-url", "/docs"],
  ["forwarded", "host=evil.test;proto=https"],
  ["host", "evil.test"],
  ["origin", "null"],
  ["referer", "javascript:alert(1)"],
  ["cookie", "token=second-token; Authorization=Bearer second-token"],
  ["if-none-match", "*"],
  ["range", "bytes=0-5"],
  ["expect", "100-continue"],
  ["upgrade", "websocket"],
  ["connection", "upgrade"],
  ["traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"],
  ["traceparent", "00-junk"],
  ["b3", "junk-junk-1"],
  ["accept-language", "x".repeat(20_000)],
  ["x-account-id", "second"],
  ["__proto__", "x"],
  ["constructor", "x"],
]

/** Headers without effect. */
export const others: fc.Arbitrary<ReadonlyArray<Pair>> = fc.oneof(
  { weight: 5, arbitrary: fc.constant<ReadonlyArray<Pair>>([]) },
  { weight: 2, arbitrary: fc.array(fc.constantFrom(...idle), { minLength: 1, maxLength: 3 }) },
)

/** Headers that say how long a body is, and say too much. */
export const tooLong: ReadonlyArray<string> = ["1048577", "99999999999", `1${"0".repeat(400)}`]

export const declaredLength: fc.Arbitrary<Twist<string | undefined>> = fc.oneof(
  { weight: 100, arbitrary: fc.constant(plain(undefined)) },
  { weight: 1, arbitrary: fc.constantFrom(...tooLong).map((length) => refused(length, 413)) },
)
