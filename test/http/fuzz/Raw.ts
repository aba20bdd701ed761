/** Bytes as they go over a connection: requests, almost requests, and anything else. */
import fc from "fast-check"
import { bodyLimit } from "./Bodies.js"

/** What is written to a connection, and how it ends. */
export interface Raw {
  readonly bytes: Buffer
  /** How it is written: at once, or in parts of this many bytes. */
  readonly part: number | undefined
  /** What the sender does when everything is written. */
  readonly end: "wait" | "end" | "destroy"
  readonly what: string
}

export const token = "fuzz-token-of-the-tests"

const authorization = `Authorization: Bearer ${token}`

const targets: ReadonlyArray<string> = [
  ...[
    "/v1/payouts",
    "/api/v1/payouts",
    "/v1/products?search=a",
    "/v1/collaborators/ada/products",
    "/ready",
  ],
  ...[
    "/docs",
    "/openapi.json",
    "/",
    "*",
    "//",
    "//v1/payouts",
    "/v1/../v1/payouts",
    "/v1/./payouts",
    "/../../etc/passwd",
  ],
  ...[
    "/%2e%2e/v1/payouts",
    "/v1/payouts/%2e%2e/products",
    "/v1/payouts/..%2fproducts",
    "/v1/payouts/%00",
    "/%",
    "/%ZZ",
  ],
  ...[
    "/v1/payouts/%C3%28",
    "/v1/payouts/%ED%A0%80",
    "/v1\\payouts",
    "/v1/payouts\\..\\products",
    "\\v1\\payouts",
  ],
  ...[
    "http://evil.test/v1/payouts",
    "https://evil.test/v1/payouts",
    "http://user:pass@evil.test/v1/payouts",
  ],
  ...[
    "http://[::1/v1/payouts",
    "http:///v1/payouts",
    "http://",
    "http:/v1/payouts",
    "ftp://a/v1/payouts",
    "javascript:alert(1)",
  ],
  ...[
    "//evil.test/v1/payouts",
    "///v1/payouts",
    "evil.test:443",
    "v1/payouts",
    "?page=1",
    "#x",
    "/v1/payouts#x",
    "/v1/payouts?#",
  ],
  ...[
    "/v1/payouts?page=1?page=2",
    "/v1/payouts??",
    "/v1/payouts?paidDate[start_date]=1",
    '/v1/payouts?"<>',
    "/v1/payouts?a=\\",
  ],
  ...[
    "/v1/payouts?__proto__[x]=1",
    "/v1/payouts/__proto__",
    "/v1/payouts/\u00e9",
    "/v1/payouts/\u00ff\u00fe",
    "/v1/payouts?\u00e9=\u00e9",
  ],
  ...[
    "/v1/payouts\t",
    "/v1/pay\u0000outs",
    "/v1/pay\u0001outs",
    "/v1/pay\u007fouts",
    "/v1/payouts HTTP/1.1 x",
    "/v1/pay outs",
  ],
  ...[
    `/${"x".repeat(3_000)}`,
    `/v1/payouts/${"x".repeat(12_000)}`,
    `/${"x".repeat(100_000)}`,
    `/v1/payouts?${"a=1&".repeat(3_000)}`,
  ],
  `${"/..".repeat(3_000)}/v1/payouts`,
]

const methods: ReadonlyArray<string> = [
  ...[
    "GET",
    "HEAD",
    "POST",
    "PUT",
    "DELETE",
    "PATCH",
    "OPTIONS",
    "TRACE",
    "CONNECT",
    "TRACK",
    "LINK",
    "M-SEARCH",
  ],
  ...[
    "PROPFIND",
    "PURGE",
    "QUERY",
    "get",
    "Get",
    "FOO",
    "G ET",
    "GET\t",
    "",
    "\u0000",
    "GE\u00e9",
    "PRI",
    "x".repeat(9_000),
  ],
]

const versions = [
  "HTTP/1.1",
  "HTTP/1.0",
  "HTTP/0.9",
  "HTTP/2.0",
  "HTTP/1.2",
  "HTTP/9.9",
  "http/1.1",
  "HTTP/1.1.1",
  "HTTP/",
  "",
]

const headers: ReadonlyArray<string> = [
  ...[
    "Host: evil.test",
    "Host:",
    "Host: a b",
    "Host: a\u00e9",
    'Host: a"b',
    "Host: [::1",
    "Host: a/b?c#d",
    "Host: a:99999999",
    "Host: @",
  ],
  ...[
    "Host: a@b",
    "Host: %00",
    "Host: ..",
    "Host: <script>",
    "Host: a,b",
    "Host: \u0001",
    `Host: ${"h".repeat(5_000)}`,
  ],
  ...[
    "Authorization: Bearer other",
    "Authorization:",
    "Authorization: Basic YQ==",
    `Authorization: Bearer ${token}, Bearer ${token}`,
  ],
  ...[
    "X-Request-Id: a\u0001b",
    "X-Request-Id: a\tb",
    "X-Request-Id: a\u00e9",
    "X-Request-Id: ok-1",
    "X-Request-Id:",
  ],
  ...[
    "Idempotency-Key: k1",
    "Idempotency-Key: \u00e9",
    "Idempotency-Key:",
    "Connection: close",
    "Connection: upgrade",
    "Connection: x, y",
  ],
  ...[
    "Upgrade: websocket",
    "Upgrade: h2c",
    "HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA",
    "Expect: 100-continue",
    "Expect: x",
    "TE: trailers",
  ],
  ...[
    "Content-Type: application/json",
    "Content-Encoding: gzip",
    "Range: bytes=0-1",
    "Cookie: a=b",
    "Transfer-Encoding: gzip",
  ],
  ...[
    "Keep-Alive: timeout=1e9",
    "Content-Length: -1",
    "Content-Length: abc",
    "Content-Length: 1e3",
    "Content-Length: 5, 5",
    "Content-Length: +5",
  ],
  ...[
    "Content-Length: 99999999999999999999",
    "Transfer-Encoding: chunked, chunked",
    "Transfer-Encoding: xchunked",
    "Transfer-Encoding : chunked",
  ],
  ...[
    " folded: x",
    "\tfolded",
    "NoColon",
    ": novalue",
    "Sp ace: x",
    "X-Nul: a\u0000b",
    "X-Cr: a\rb",
    "X-Lf: a\nSet-Cookie: x",
    "X\u00e9: y",
  ],
  ...[
    "__proto__: x",
    "constructor: x",
    "X-Long: ".padEnd(15_000, "y"),
    "X-Longer: ".padEnd(70_000, "y"),
  ],
]

const lengthOf = (body: string): number => Buffer.byteLength(body, "latin1")

const chunked = (body: string, size = 5): string => {
  const chunks: Array<string> = []
  for (let at = 0; at < body.length; at += size) {
    const chunk = body.slice(at, at + size)
    chunks.push(`${chunk.length.toString(16)}\r\n${chunk}\r\n`)
  }
  return `${chunks.join("")}0\r\n\r\n`
}

const entry = '{"amount":5,"name":"Frames"}'

type Framing = readonly [headers: ReadonlyArray<string>, bytes: string]

const noFraming: Framing = [[], ""]

/** How a body is framed: its headers, and its bytes. */
const framings: ReadonlyArray<Framing> = [
  [[], ""],
  [[`Content-Length: ${entry.length}`], entry],
  [
    [`Content-Length: ${entry.length}`],
    '{"amount":5,"name":"\u00ff\u00fe\u0080\u0081"}'.slice(0, entry.length).padEnd(entry.length),
  ],
  [["Content-Length: 0"], ""],
  [["Content-Length: 5"], entry],
  [["Content-Length: 500"], entry],
  [["Content-Length: 2000000"], entry],
  [["Content-Length: 28", "Content-Length: 28"], entry],
  [["Content-Length: 28", "Content-Length: 5"], entry],
  [["Transfer-Encoding: chunked"], chunked(entry)],
  [["Transfer-Encoding: chunked"], chunked(entry, 1)],
  [["Transfer-Encoding: chunked", "Content-Length: 28"], chunked(entry)],
  [["Transfer-Encoding: chunked", "Content-Length: 0"], chunked(entry)],
  [["Transfer-Encoding: chunked"], `1c;a=b;c="d"\r\n${entry}\r\n0\r\nX-Trailer: y\r\n\r\n`],
  [["Transfer-Encoding: chunked"], "zz\r\n{}\r\n0\r\n\r\n"],
  [["Transfer-Encoding: chunked"], "-5\r\n{}\r\n0\r\n\r\n"],
  [["Transfer-Encoding: chunked"], "ffffffffffffffff\r\n{}\r\n"],
  [["Transfer-Encoding: chunked"], "fffffffffffffffffffffffff\r\n{}\r\n"],
  [["Transfer-Encoding: chunked"], "5\r\n{}\r\n0\r\n\r\n"],
  [["Transfer-Encoding: chunked"], "2\r\n{}xx\r\n0\r\n\r\n"],
  [["Transfer-Encoding: chunked"], `2;${"x".repeat(20_000)}\r\n{}\r\n0\r\n\r\n`],
  [["Transfer-Encoding: chunked"], "1c\r\n"],
  [["Transfer-Encoding: chunked"], chunked(" ".repeat(bodyLimit + 5_000), 60_000)],
  [[`Content-Length: ${bodyLimit + 1}`], " ".repeat(bodyLimit + 1)],
  [[`Content-Length: ${bodyLimit}`], entry.padEnd(bodyLimit, " ")],
]

const write = (lines: ReadonlyArray<string>, body: string): string =>
  `${lines.join("\r\n")}\r\n\r\n${body}`

const usually = <A>(weight: number, usual: A, odd: ReadonlyArray<A>): fc.Arbitrary<A> =>
  fc.oneof(
    { weight, arbitrary: fc.constant(usual) },
    { weight: 1, arbitrary: fc.constantFrom(...odd) },
  )

const entryTargets = [
  "/v1/payouts/p1/expense",
  "/v1/payouts/p1/income",
  "/v1/payouts/nobody/expense",
  "/v1/payouts/p1/set-paid",
]

const almostRequest: fc.Arbitrary<string> = fc
  .tuple(
    fc.oneof(
      fc.tuple(usually(12, "GET", methods), fc.constantFrom(...targets)),
      fc.tuple(usually(15, "POST", methods), fc.constantFrom(...entryTargets)),
    ),
    usually(30, "HTTP/1.1", versions),
    usually(6, authorization, ["", "Authorization: Bearer wrong"]),
    usually(14, "Host: shop.test", ["", "Host: a\r\nHost: b", ...headers.slice(0, 16)]),
    usually(7, "", headers),
    usually(7, "", headers),
    usually(1, noFraming, framings),
  )
  .map(([[method, target], version, token, host, one, other, [framing, body]]) => {
    const own = method === "POST" && body === "" ? [`Content-Length: ${lengthOf(entry)}`] : framing
    const sent = method === "POST" && body === "" ? entry : body
    const lines = [`${method} ${target} ${version}`, host, token, one, other, ...own]
    return write(
      lines.filter((line) => line !== ""),
      sent,
    )
  })

const many = (count: number): string =>
  write(
    [
      "GET /v1/payouts HTTP/1.1",
      "Host: shop.test",
      ...Array.from({ length: count }, (_, index) => `X-${index}: y`),
    ],
    "",
  )

const noRequests: ReadonlyArray<string> = [
  ...[
    "",
    "\r\n",
    "\n\n\n",
    "GET",
    "GET /",
    "GET / HTTP/1.1\r\n",
    "GET /v1/payouts HTTP/1.1\r\nHost: a\r\nX: ",
    "\u0000",
    "\u0000".repeat(5_000),
  ],
  ...[
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003",
    "SSH-2.0-x\r\n",
    "\u0080\u0081",
  ],
  ...[
    "GET /v1/payouts\r\n\r\n",
    "GET\r\n/v1/payouts\r\nHTTP/1.1\r\n\r\n",
    "GET /v1/payouts HTTP/1.1\n\n",
    "GET /v1/payouts HTTP/1.1\r\r\n\r\n",
  ],
  ...[
    "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
    "{}",
    "[".repeat(100_000),
    "x".repeat(200_000),
    "\r\n".repeat(50_000),
  ],
  ...[many(50), many(500), many(3_000), "GET / HTTP/1.1\r\n".repeat(1_000)],
]

const bytesOf = (text: string): Buffer => Buffer.from(text, "latin1")

const garbage = fc.uint8Array({ minLength: 1, maxLength: 300 }).map((bytes) => Buffer.from(bytes))

/** Behind another request, Node writes `100 Continue` between the headers and the body of an answer. */
const asksNothingFirst = (request: string): boolean => !request.includes("100-continue")

const what = fc.oneof(
  { weight: 12, arbitrary: almostRequest.map(bytesOf) },
  {
    weight: 2,
    arbitrary: fc
      .array(almostRequest.filter(asksNothingFirst), { minLength: 2, maxLength: 12 })
      .map((requests) => bytesOf(requests.join(""))),
  },
  { weight: 1, arbitrary: fc.constantFrom(...noRequests).map(bytesOf) },
  { weight: 1, arbitrary: garbage },
  {
    weight: 1,
    arbitrary: fc.tuple(almostRequest.map(bytesOf), fc.nat(), garbage).map(([bytes, at, junk]) => {
      const place = at % Math.max(1, bytes.length)
      return Buffer.concat([bytes.subarray(0, place), junk, bytes.subarray(place)])
    }),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(almostRequest.map(bytesOf), fc.nat())
      .map(([bytes, at]) => bytes.subarray(0, at % Math.max(1, bytes.length))),
  },
)

/** Anything that can be written to a connection. */
export const raw: fc.Arbitrary<Raw> = fc
  .record({
    bytes: what,
    part: fc.oneof(
      { weight: 8, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.constantFrom(1, 7, 1_000) },
    ),
    end: fc.oneof(
      { weight: 5, arbitrary: fc.constant("wait" as const) },
      { weight: 2, arbitrary: fc.constant("end" as const) },
      { weight: 1, arbitrary: fc.constant("destroy" as const) },
    ),
  })
  .map((one) => ({ ...one, what: one.bytes.toString("latin1").slice(0, 600) }))
