/** Beginning the threads of this folder. */
import { Worker } from "node:worker_threads"

/**
 * The files of threads have the ending that this one has: both are sources, or both are built. A bundle has
 * to have them beside the file that holds this.
 */
const ending = import.meta.url.slice(-3)

/** Begins a thread; by itself it does not keep the process from ending. */
export const begin = (name: "databaseThread" | "beatThread", data: object): Worker => {
  const worker = new Worker(new URL(`./${name}${ending}`, import.meta.url), { workerData: data })
  worker.unref()
  return worker
}
