/** Threads of `split --jobs` inside this one: what they are given and answer is copied all the same. */
import { MessageChannel } from "node:worker_threads"
import type { JobRequest, Jobs, Thread } from "../../src/cli/split/Job.js"
import { JobServer } from "../../src/cli/split/JobServer.js"

/** How many threads were started and ended, and how many pieces they got. */
export interface Census {
  started: number
  ended: number
  pieces: number
}

const startThread = (census: Census, deadlyPiece: number): Thread => {
  const { port1, port2 } = new MessageChannel()
  const server = new JobServer()
  const enders: Array<(cause: unknown) => void> = []
  census.started += 1
  const die = () => {
    port1.close()
    for (const tell of enders) tell(new Error("it was killed"))
  }
  let last: Promise<void> = Promise.resolve()
  const answer = async (request: JobRequest) => {
    if (request._tag === "SplitPiece") census.pieces += 1
    if (request._tag === "SplitPiece" && census.pieces === deadlyPiece) return die()
    const { answer, transfer } = await server.reply(request)
    port2.postMessage(answer, [...transfer])
  }
  port2.on("message", (request: JobRequest) => {
    last = last.then(() => answer(request))
  })
  return {
    send: (request, transfer) => port1.postMessage(request, [...transfer]),
    onAnswer: (listener) => port1.on("message", listener),
    onEnd: (listener) => enders.push(listener),
    end: async () => {
      census.ended += 1
      port1.close()
    },
  }
}

/** @param deadlyPiece - the piece, counted from 1, that kills the thread which gets it */
export const threadsWithin = (
  pieceBytes: number,
  { deadlyPiece = 0, census = { started: 0, ended: 0, pieces: 0 } } = {},
): Jobs => ({ start: () => startThread(census, deadlyPiece), pieceBytes })
