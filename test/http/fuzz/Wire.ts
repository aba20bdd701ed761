/** Sending bytes to a server, and reading the answers that come back. */
import { createConnection } from "node:net"
import { setTimeout as wait } from "node:timers/promises"
import type { Raw } from "./Raw.js"

export interface RawAnswer {
  readonly status: number
  /** With names in small letters. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

const chunksOf = (text: string): { readonly body: string; readonly rest: string } | undefined => {
  let body = ""
  let rest = text
  for (;;) {
    const line = /^([0-9a-f]+)\r\n/i.exec(rest)
    if (line === null) return undefined
    const size = Number.parseInt(line[1] ?? "", 16)
    const start = line[0].length
    if (rest.length < start + size + 2) return undefined
    body += rest.slice(start, start + size)
    rest = rest.slice(start + size + 2)
    if (size === 0) return { body, rest }
  }
}

const headersIn = (head: string): ReadonlyMap<string, string> =>
  new Map(
    head
      .split("\r\n")
      .slice(1)
      .map((line) => {
        const colon = line.indexOf(":")
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const
      }),
  )

interface Reading {
  readonly answers: ReadonlyArray<RawAnswer>
  /** What came behind the last whole answer. */
  readonly rest: string
}

const bodyIn = (
  status: number,
  headers: ReadonlyMap<string, string>,
  text: string,
): { readonly body: string; readonly rest: string } | undefined => {
  if (status < 200 || status === 204 || status === 304) return { body: "", rest: text }
  if (headers.get("transfer-encoding") === "chunked") return chunksOf(text)
  const length = Number(headers.get("content-length") ?? Number.NaN)
  // A HEAD request is answered with a length and nothing behind it.
  if (/^HTTP\/1\.1 \d/.test(text)) return { body: "", rest: text }
  if (Number.isNaN(length)) return { body: text, rest: "" }
  return text.length < length
    ? undefined
    : { body: text.slice(0, length), rest: text.slice(length) }
}

/** The whole answers in what came back. */
export const readAnswers = (text: string): Reading => {
  const answers: Array<RawAnswer> = []
  let rest = text
  for (;;) {
    const end = rest.indexOf("\r\n\r\n")
    const status = /^HTTP\/1\.1 (\d{3})/.exec(rest)?.[1]
    if (end === -1 || status === undefined) return { answers, rest }
    const headers = headersIn(rest.slice(0, end))
    const found = bodyIn(Number(status), headers, rest.slice(end + 4))
    if (found === undefined) return { answers, rest }
    answers.push({ status: Number(status), headers, body: found.body })
    rest = found.rest
  }
}

/** How long a sender waits for more when nothing comes. */
const quietMillis = 40

/** How many times as long, before the first byte has come. */
const patientTurns = 5

/** Writes to a new connection, and gives everything that comes back before it is quiet or closed. */
export const exchange = async (port: number, { bytes, part, end }: Raw): Promise<string> => {
  const socket = createConnection(port, "127.0.0.1")
  const chunks: Array<Buffer> = []
  let isOver = false
  let heard = 0
  socket.on("data", (chunk) => {
    chunks.push(chunk)
    heard++
  })
  socket.on("error", () => {
    isOver = true
  })
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()))
  const size = part === undefined ? bytes.length : Math.max(part, Math.ceil(bytes.length / 40))
  for (let at = 0; at < bytes.length && !isOver; at += Math.max(1, size)) {
    socket.write(bytes.subarray(at, at + size))
    if (part !== undefined) await wait(1)
  }
  if (end === "end") socket.end()
  if (end === "destroy") socket.destroy()
  // Only what is never answered is waited for in vain.
  for (
    let before = -1, turn = 0;
    before !== heard || (heard === 0 && turn < patientTurns);
    turn++
  ) {
    before = heard
    if (await Promise.race([closed.then(() => true), wait(quietMillis).then(() => false)])) break
  }
  socket.destroy()
  await closed
  return Buffer.concat(chunks).toString("latin1")
}

/** Writes to a new connection, and gives what comes back until the server closes it. */
export const exchangeToEnd = async (port: number, text: string): Promise<string> => {
  const socket = createConnection(port, "127.0.0.1")
  const chunks: Array<Buffer> = []
  socket.on("data", (chunk) => chunks.push(chunk))
  const closed = new Promise<void>((resolve) => {
    socket.once("close", () => resolve())
    socket.once("error", () => resolve())
  })
  socket.write(text)
  await closed
  return Buffer.concat(chunks).toString("latin1")
}

/** A request of nothing but a line and headers. */
export const plainRequest = (path: string, headers: ReadonlyArray<string>): string =>
  `${[`GET ${path} HTTP/1.1`, "Host: shop.test", ...headers].join("\r\n")}\r\n\r\n`

/** The answer to one such request, on a connection of its own. */
export const askPlainly = async (
  port: number,
  path: string,
  token: string,
): Promise<RawAnswer | undefined> => {
  const headers = [`Authorization: Bearer ${token}`, "Connection: close"]
  return readAnswers(await exchangeToEnd(port, plainRequest(path, headers))).answers[0]
}
