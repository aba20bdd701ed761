/**
 * The thread that shows again and again that a process lives, however busy the others are. The file stands
 * alone: a thread is begun with it.
 */
import { closeSync, existsSync, openSync, writeSync } from "node:fs"
import { parentPort, workerData } from "node:worker_threads"

/** What the thread is begun with. */
export interface BeatData {
  readonly isBeatThread: true
  /** The note whose time of change is the beat. */
  readonly note: string
  readonly beatMs: number
}

/** Shows life once; `false`: the note is gone. */
const beat = (note: string): boolean => {
  try {
    const file = openSync(note, "r+")
    try {
      writeSync(file, "{", 0)
    } finally {
      closeSync(file)
    }
  } catch {
    // On a full disk the next one may go through. Who is silent for too long loses the folder and learns of it.
    return existsSync(note)
  }
  return true
}

const data: BeatData | undefined = workerData?.isBeatThread === true ? workerData : undefined
if (data !== undefined) {
  const { note, beatMs } = data
  const timer = setInterval(() => {
    if (beat(note)) return
    clearInterval(timer)
    parentPort?.postMessage("lost")
  }, beatMs)
}
