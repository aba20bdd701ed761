import { expect, test } from "vitest"
import { Sequence } from "../../../src/cli/split/SplitJobs.js"

test("steps are done one after another, in the order in which they were added", async () => {
  const sequence = new Sequence()
  const done: Array<number> = []
  const gate = Promise.withResolvers<void>()
  sequence.add(async () => {
    await gate.promise
    done.push(1)
  })
  sequence.add(() => void done.push(2))
  await sequence.atMost(2)
  expect(done).toEqual([])
  gate.resolve()
  await sequence.atMost(0)
  expect(done).toEqual([1, 2])
})

test("the first step that fails ends all, and whoever waits for fewer steps hears of it at once", async () => {
  const sequence = new Sequence()
  const done: Array<number> = []
  sequence.add(() => Promise.reject(new Error("first")))
  sequence.add(() => void done.push(2))
  sequence.add(() => Promise.reject(new Error("second")))
  await expect(sequence.failure).rejects.toThrow("first")
  await expect(sequence.atMost(100)).rejects.toThrow("first")
  await expect(sequence.atMost(0)).rejects.toThrow("first")
  expect(done).toEqual([])
})
