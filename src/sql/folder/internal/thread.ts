/** Starts the threads of a folder's storage. */
import { Worker } from "node:worker_threads"

/**
 * The file extension of the threads' files, that of this file: all are sources or all are built. A bundle needs these
 * files beside the one that contains this code.
 */
const ending = import.meta.url.slice(-3)

/** Starts a thread, which does not keep the process running. */
export const begin = (name: "databaseThread" | "beatThread", data: object): Worker => {
  const worker = new Worker(new URL(`./${name}${ending}`, import.meta.url), { workerData: data })
  worker.unref()
  return worker
}
