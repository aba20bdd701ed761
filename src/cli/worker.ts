/** A thread of `split --jobs`: answers what the main thread asks, one after another. */
import { parentPort } from "node:worker_threads"
import type { Request } from "./JobMessages.js"
import { JobServer } from "./JobServer.js"

const server = new JobServer()
let last: Promise<void> = Promise.resolve()

const answer = async (request: Request): Promise<void> => {
  const reply = await server.reply(request)
  parentPort?.postMessage(reply.answer, [...reply.transfer])
}

parentPort?.on("message", (request: Request) => {
  last = last.then(() => answer(request))
})
