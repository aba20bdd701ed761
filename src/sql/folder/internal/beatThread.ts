/**
 * The thread that touches the note of a process at intervals, however busy the other threads are. This file is the entry
 * file of the thread.
 */
import { closeSync, existsSync, openSync, writeSync } from "node:fs"
import { parentPort, workerData } from "node:worker_threads"

/** The data that the thread is started with. */
export interface BeatData {
  readonly isBeatThread: true
  /** The path of the note; its time of change is the beat. */
  readonly note: string
  readonly beatMs: number
}

/** Touches the note; `false` when it is gone. */
const beat = (note: string): boolean => {
  try {
    const file = openSync(note, "r+")
    try {
      writeSync(file, "{", 0)
    } finally {
      closeSync(file)
    }
  } catch {
    // On a full disk the next write may succeed. A process that is silent for too long loses the folder and is told.
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
