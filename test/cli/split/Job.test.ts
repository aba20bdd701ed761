import { expect, test } from "vitest"
import type { JobAnswer, JobRequest } from "../../../src/cli/split/Job.js"
import { Job, type Thread } from "../../../src/cli/split/Job.js"

const request: JobRequest = { _tag: "FindLeftOver", used: new Set() }
const answerOf = (line: string): JobAnswer => ({ _tag: "LeftOverFound", lines: [line] })

/** A thread that answers and ends when it is told to. */
const puppet = () => {
  const sent: Array<JobRequest> = []
  const listeners = {
    answer: (_: JobAnswer): void => undefined,
    end: (_: unknown): void => undefined,
  }
  const thread: Thread = {
    send: (request) => void sent.push(request),
    onAnswer: (listener) => Object.assign(listeners, { answer: listener }),
    onEnd: (listener) => Object.assign(listeners, { end: listener }),
    end: async () => undefined,
  }
  return { job: new Job(thread), sent, listeners }
}

test("a job's answers go to the requests in their order", async () => {
  const { job, sent, listeners } = puppet()
  const asked = [job.ask(request), job.ask(request)]
  expect(job.load).toBe(2)
  for (const line of ["one", "two"]) listeners.answer(answerOf(line))
  expect(await Promise.all(asked)).toEqual([answerOf("one"), answerOf("two")])
  expect({ load: job.load, sent: sent.length }).toEqual({ load: 0, sent: 2 })
})

test("a job that ended fails what it was asked, and everything after, for the first reason", async () => {
  const { job, sent, listeners } = puppet()
  const asked = [job.ask(request), job.ask(request)]
  listeners.end(new Error("no more"))
  listeners.end(new Error("it ended with 1"))
  for (const promise of [...asked, job.ask(request)]) {
    await expect(promise).rejects.toMatchObject({
      _tag: "Defect",
      message: "a job ended before its work was done: Error: no more",
    })
  }
  expect(sent).toHaveLength(2)
})

test("a job that ran out of memory is no mistake in the program", async () => {
  const { job, listeners } = puppet()
  const asked = job.ask(request)
  listeners.end(Object.assign(new Error("limit"), { code: "ERR_WORKER_OUT_OF_MEMORY" }))
  await expect(asked).rejects.toMatchObject({
    _tag: "UnusableInput",
    message: expect.stringContaining("ran out of memory"),
  })
})
