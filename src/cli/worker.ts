/** A thread of `split --jobs`: answers the requests of the main thread in sequence. */
import { parentPort } from "node:worker_threads"
import type { JobRequest } from "./split/Job.js"
import { JobServer } from "./split/JobServer.js"

const server = new JobServer()
let last: Promise<void> = Promise.resolve()

const answer = async (request: JobRequest): Promise<void> => {
  parentPort?.postMessage(await server.reply(request))
}

parentPort?.on("message", (request: JobRequest) => {
  last = last.then(() => answer(request))
})
