/** The server of the command line, in this process. */
import { onTestFinished } from "vitest"
import * as Cli from "../../../src/cli/Cli.js"
import type { Sink, StopSignal } from "../../../src/cli/Session.js"

/** Serves in this process until it is stopped. */
export const serve = async (
  args: ReadonlyArray<string>,
  environment: Readonly<Record<string, string>> = {},
) => {
  const ready = Promise.withResolvers<string>()
  const end = Promise.withResolvers<StopSignal>()
  const [out, err] = [[] as string[], [] as string[]]
  const sinkInto = (texts: Array<string>): Sink => ({
    isTerminal: false,
    columns: undefined,
    write: async (written) => {
      const text = String(written)
      texts.push(text)
      const [, url] = /^apportion is listening on (\S+)\n$/.exec(text) ?? []
      if (url !== undefined) ready.resolve(url)
    },
  })
  const ended = Cli.run(["serve", ...args], {
    stdin: (async function* () {})(),
    stdout: sinkInto(out),
    stderr: sinkInto(err),
    environment,
    stopped: () => end.promise,
  })
  onTestFinished(async () => {
    end.resolve("SIGINT")
    await ended
  })
  const url = await Promise.race([
    ready.promise,
    ended.then((code) => `ended with ${code}: ${err}`),
  ])
  const stop = () => {
    end.resolve("SIGINT")
    return ended
  }
  return { url, out, err, stop }
}
