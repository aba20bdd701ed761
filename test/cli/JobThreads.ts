/** Threads of `split --jobs` inside this one: what they are given and answer is copied all the same. */
import { setImmediate } from "node:timers/promises"
import type { JobAnswer, JobRequest, Jobs, Thread } from "../../src/cli/split/Job.js"
import { JobServer } from "../../src/cli/split/JobServer.js"

/** How many threads were started and ended, and how many pieces they got. */
export interface Census {
  started: number
  ended: number
  pieces: number
}

/** It is ready at once, and takes some turns for a piece, so that the thread that started it gets some too. */
const startThread = (census: Census, deadlyPiece: number): Thread => {
  const server = new JobServer()
  const listeners: Array<(answer: JobAnswer) => void> = []
  const enders: Array<(cause: unknown) => void> = []
  census.started += 1
  const answer = async (request: JobRequest) => {
    if (request._tag === "SplitPiece") {
      for (let turn = 0; turn < 4; turn += 1) await setImmediate()
      census.pieces += 1
      if (census.pieces === deadlyPiece) {
        for (const tell of enders) tell(new Error("it was killed"))
        return
      }
    }
    const copy = structuredClone(await server.reply(request))
    for (const tell of listeners) tell(copy)
  }
  let last: Promise<void> = Promise.resolve()
  return {
    send: (request) => {
      const copy = structuredClone(request)
      last = last.then(() => answer(copy))
    },
    onAnswer: (listener) => listeners.push(listener),
    onEnd: (listener) => enders.push(listener),
    end: async () => {
      census.ended += 1
    },
  }
}

/** @param deadlyPiece - the piece, counted from 1, that kills the thread which gets it */
export const threadsWithin = (
  pieceBytes: number,
  { deadlyPiece = 0, census = { started: 0, ended: 0, pieces: 0 } } = {},
): Jobs => ({ start: () => startThread(census, deadlyPiece), pieceBytes })
