/** `apportion token`: makes an access token, and the line by which `apportion serve` knows it. */
import * as AccessTokens from "./AccessTokens.js"
import * as ExitCode from "./ExitCode.js"
import type { Session } from "./Session.js"

/** The flags as they were written. */
export interface Options {
  readonly name: string | undefined
  readonly file: string | undefined
}

/** Makes a token and tells it, once. */
export const run = async ({ io }: Session, { name, file }: Options): Promise<number> => {
  if (name !== undefined && !AccessTokens.isName(name)) {
    throw new ExitCode.UnusableInput({
      message: `--name: must be 1 to 200 characters that don't begin with "-" or end with space, got ${JSON.stringify(name)}`,
    })
  }
  const token = AccessTokens.makeToken()
  if (file === undefined) {
    const line = AccessTokens.lineOf(token, name)
    await io.stdout.write(`token: ${token}\nline of the token file: ${line}\n`)
  } else {
    await AccessTokens.append(file, token, name)
    await io.stdout.write(`${token}\n`)
  }
  return ExitCode.success
}
