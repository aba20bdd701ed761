/**
 * The token of a pass: the account, the pass and the secret of the link, as `account.pass.secret`. The secret is the key
 * of a code over what the pass is for; only that code is stored.
 */
import * as Effect from "effect/Effect"
import * as Base64Url from "effect/encoding/Base64Url"
import * as Result from "effect/Result"
import type { StoredPass } from "../../ports/PassStore.js"

/** How many random bytes a secret has: as many as the code that it is the key of. */
export const secretBytes = 32

/** The parts of a token. */
export interface PassToken {
  readonly accountId: string
  readonly passId: string
  readonly secret: Uint8Array<ArrayBuffer>
}

/** Longer ones are not read. Ids of accounts have 500 bytes at most. */
const longest = 1_024

const shape = /^([\w-]+)\.([\w-]+)\.([\w-]{43})$/

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

const textOf = (bytes: Uint8Array): string | undefined => {
  try {
    return utf8.decode(bytes)
  } catch {
    return undefined
  }
}

/** The bytes, if the text is the one way to write them: two texts of one token would be two tokens. */
const bytesOf = (text: string): Uint8Array<ArrayBuffer> | undefined => {
  const bytes = Result.getOrUndefined(Base64Url.decode(text))
  return bytes !== undefined && Base64Url.encode(bytes) === text ? new Uint8Array(bytes) : undefined
}

/** A token as a link has it. */
export const write = ({ accountId, passId, secret }: PassToken): string =>
  [Base64Url.encode(accountId), passId, Base64Url.encode(secret)].join(".")

/** The parts of a token; `undefined`: it is none. */
export const read = (token: string): PassToken | undefined => {
  if (token.length > longest) return undefined
  const [, account = "", passId = "", key = ""] = shape.exec(token) ?? []
  const [bytes, secret] = [bytesOf(account), bytesOf(key)]
  const accountId = bytes && textOf(bytes)
  if (accountId === undefined || accountId === "" || secret?.length !== secretBytes)
    return undefined
  return { accountId, passId, secret }
}

/** What a code vouches for. */
export type Vouched = Pick<StoredPass, "id" | "collaboratorId" | "expiresAt"> & {
  readonly accountId: string
}

/** As JSON, no two passes have the same text. */
const messageOf = ({ accountId, collaboratorId, id, expiresAt }: Vouched) =>
  new TextEncoder().encode(
    JSON.stringify(["apportion pass", 1, accountId, collaboratorId, id, expiresAt]),
  )

const algorithm = { name: "HMAC", hash: "SHA-256" }

const keyOf = (secret: Uint8Array<ArrayBuffer>, usage: "sign" | "verify") =>
  crypto.subtle.importKey("raw", secret, algorithm, false, [usage])

/** The code of a pass under a secret, as hexadecimal digits. */
export const macOf = (secret: Uint8Array<ArrayBuffer>, vouched: Vouched): Effect.Effect<string> =>
  Effect.promise(async () => {
    const key = await keyOf(secret, "sign")
    const code = new Uint8Array(await crypto.subtle.sign(algorithm, key, messageOf(vouched)))
    return Array.from(code, (byte) => byte.toString(16).padStart(2, "0")).join("")
  })

const codeOf = (mac: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array((mac.match(/../g) ?? []).map((digits) => Number.parseInt(digits, 16)))

/** Whether a stored code is that of a pass under a secret; compared in constant time. */
export const isOf = (
  mac: string,
  secret: Uint8Array<ArrayBuffer>,
  vouched: Vouched,
): Effect.Effect<boolean> =>
  Effect.promise(async () => {
    const key = await keyOf(secret, "verify")
    return crypto.subtle.verify(algorithm, key, codeOf(mac), messageOf(vouched))
  })
