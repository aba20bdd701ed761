/** Everything in the page's address, behind the `#`: browsers send that part to nobody. */
import { isFields, type Scenario } from "./Scenario.js"

/** The most that a link may unpack to, so that no link can fill the memory. */
const mostBytes = 8_000_000

/** The longest address that is made. Browsers take more; what people send each other in mails does not. */
export const mostCharacters = 60_000

const encode = (bytes: Uint8Array): string => {
  let text = ""
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")
}

const decode = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) =>
    character.charCodeAt(0),
  )

const gathered = async (
  stream: ReadableStream<Uint8Array>,
  most: number,
): Promise<Uint8Array | undefined> => {
  const chunks: Array<Uint8Array> = []
  let length = 0
  const reader = stream.getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    chunks.push(next.value)
    length += next.value.length
    if (length > most) {
      await reader.cancel()
      return undefined
    }
  }
  const whole = new Uint8Array(length)
  let place = 0
  for (const chunk of chunks) {
    whole.set(chunk, place)
    place += chunk.length
  }
  return whole
}

/** The fragment for some inputs, without `#`. */
export const write = async (inputs: Scenario): Promise<string> => {
  const { groups, order, policy, counters, other } = inputs
  const content = new Blob([JSON.stringify({ groups, order, policy, counters, other })])
  const packed = await gathered(
    content.stream().pipeThrough(new CompressionStream("deflate-raw")),
    Number.POSITIVE_INFINITY,
  )
  return `1${encode(packed ?? new Uint8Array())}`
}

const inputsOf = (value: unknown): Scenario | undefined => {
  if (!isFields(value) || !Array.isArray(value.groups)) return undefined
  const other: ReadonlyArray<unknown> | null = Array.isArray(value.other) ? value.other : null
  // Links of earlier versions have none.
  const counters: ReadonlyArray<unknown> = Array.isArray(value.counters) ? value.counters : []
  return { groups: value.groups, order: value.order, policy: value.policy ?? {}, counters, other }
}

/** The inputs that a fragment holds; nothing where it holds none, or more than a page should unpack. */
export const read = async (fragment: string): Promise<Scenario | undefined> => {
  if (!fragment.startsWith("1")) return undefined
  try {
    const packed = new Blob([decode(fragment.slice(1))])
    const stream = packed.stream().pipeThrough(new DecompressionStream("deflate-raw"))
    const bytes = await gathered(stream, mostBytes)
    if (bytes === undefined) return undefined
    return inputsOf(JSON.parse(new TextDecoder().decode(bytes)))
  } catch {
    return undefined
  }
}
