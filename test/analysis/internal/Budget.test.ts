import { describe, expect, test } from "vitest"
import {
  answersTo,
  Budget,
  finish,
  stepsOfTurn,
  Work,
} from "../../../src/analysis/internal/Budget.js"

describe("a budget", () => {
  test("may be used up, and then gives nothing more", () => {
    const budget = Budget.of(3)
    expect([budget.take(2), budget.take(1), budget.isSpent]).toEqual([true, true, false])
    expect([budget.take(1), budget.isSpent]).toEqual([false, true])
  })

  test("is used up by its parts, and they end with it", () => {
    const whole = Budget.of(5)
    const [one, other] = [whole.part(4), whole.part(4)]
    expect([one.take(4), other.take(1), other.take(1)]).toEqual([true, true, false])
    expect([one.isSpent, other.isSpent, whole.isSpent]).toEqual([true, true, true])
    const small = Budget.of(100).part(1)
    expect([small.take(2), small.isSpent]).toEqual([false, true])
  })

  test("is shared out evenly, with what is left over", () => {
    const whole = Budget.of(12)
    const stepsOf = (share: Budget): number => {
      let steps = 0
      while (share.take(1)) steps += 1
      return steps
    }
    // The first one takes a third, and one step that is not there.
    expect(stepsOf(whole.share(3))).toBe(4)
    expect(whole.share(2).take(2)).toBe(true)
    expect(stepsOf(whole.share(1))).toBe(5)
  })

  test("counts every step of the work that it is for, and says when others should have a turn", () => {
    const work = new Work()
    const [one, other] = [Budget.of(10, work).part(2), Budget.of(stepsOfTurn, work)]
    one.take(4)
    expect([work.steps, work.isDue]).toEqual([4, false])
    other.take(stepsOfTurn - 4)
    expect([work.steps, work.isDue]).toEqual([stepsOfTurn, true])
    work.begin("counting", 7)
    work.next()
    expect(work.turn()).toEqual({ task: "counting", done: 1, of: 7, steps: stepsOfTurn })
    expect(work.isDue).toBe(false)
  })
})

test("questions for which a fair share did not suffice are asked once more with what the others left", () => {
  const asked: Array<string> = []
  const answers = finish(
    answersTo(
      {
        questions: [90, 5, 5, 200],
        *answer(steps: number, budget: Budget) {
          const isDone = budget.take(steps)
          yield* []
          asked.push(`${steps} ${isDone}`)
          return isDone ? steps : undefined
        },
        isOpen: (answer) => answer === undefined,
      },
      Budget.of(300),
    ),
  )
  expect(asked).toEqual(["90 false", "5 true", "5 true", "200 true"])
  expect(answers).toEqual([undefined, 5, 5, 200])
})
