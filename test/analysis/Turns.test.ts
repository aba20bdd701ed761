import { setImmediate } from "node:timers/promises"
import { Analysis, RuleSet } from "apportion"
import { Result } from "effect"
import { describe, expect, test } from "vitest"
import { pigeons } from "./HardQuestions.js"

describe("an analysis in turns", () => {
  // Each group is kept away by a tag of its own: it takes all of the others' to see that one counts.
  const rules = RuleSet.make(
    Array.from({ length: 400 }, (_, index) => ({
      id: `g${index}`,
      collaboratorId: "ada",
      link: { type: "products.all" } as const,
      condition: { type: "order.tag", modifier: "NOT", values: [`t${index}`] } as const,
      percent: 1 + (index % 3),
    })),
  )

  test("comes to the same answer as at once", async () => {
    const pause = () => setImmediate()
    const { steps } = Analysis
    expect(await Analysis.inTurns(steps.check(rules), { pause })).toEqual(Analysis.check(rules))
    const [one, other] = pigeons(3)
    const both = [one, other].map((each) => RuleSet.make(each === undefined ? [] : [each]))
    const [left = rules, right = rules] = both
    expect(await Analysis.inTurns(steps.equivalent(left, right), { pause })).toEqual(
      Analysis.equivalent(left, right),
    )
    const [first, second] = rules.groups
    if (first === undefined || second === undefined) throw new RangeError("there are groups")
    expect(await Analysis.inTurns(steps.implies(first, second), { pause })).toEqual(
      Analysis.implies(first, second),
    )
    expect(await Analysis.inTurns(steps.togetherGroups(rules), { pause })).toEqual([])
  })

  test("lets other work go on, and says how far it is", async () => {
    let turns = 0
    let isOver = false
    const others = async () => {
      while (!isOver) {
        turns += 1
        await setImmediate()
      }
    }
    const working = others()
    const told: Array<Analysis.Progress> = []
    await Analysis.inTurns(Analysis.steps.redundantGroups(rules), {
      pause: () => setImmediate(),
      onProgress: (progress) => told.push(progress),
    })
    isOver = true
    await working
    expect(told.length).toBeGreaterThan(1)
    expect(turns).toBeGreaterThanOrEqual(told.length)
    expect(told.at(-1)?.task).toBe("groups that could go")
    for (const { done, of } of told) expect(done).toBeLessThanOrEqual(of)
  })

  test("ends when it is not wanted any more, before it begins or while it is under way", async () => {
    const cancelled = new AbortController()
    let paused = 0
    const turns: Analysis.Turns = {
      pause: async () => {
        paused += 1
        if (paused === 2) cancelled.abort(new RangeError("enough"))
      },
      signal: cancelled.signal,
    }
    const { redundantGroups } = Analysis.steps
    const refused = Analysis.inTurns(redundantGroups(rules), turns)
    await expect(refused).rejects.toThrow("enough")
    await expect(Analysis.inTurns(redundantGroups(rules), turns)).rejects.toThrow("enough")
    expect(paused).toBe(2)
  })

  test("has a Result form, which fails where the analysis throws", () => {
    const { result, steps } = Analysis
    expect(Result.getOrThrow(result(steps.check(rules)))).toEqual(Analysis.check(rules))
    const pathsOf = (refused: Result.Result<unknown, Analysis.InvalidOptions>) =>
      Result.getOrThrow(Result.flip(refused)).problems.map(({ path }) => path)
    expect(pathsOf(result(steps.check(rules, { budget: 0 })))).toEqual(["budget"])
    expect(pathsOf(result(steps.deadGroups(rules, { budget: -1 })))).toEqual(["budget"])
    const misspelt = JSON.parse('{ "bugdet": 5 }')
    expect(pathsOf(result(steps.equivalent(rules, rules, misspelt)))).toEqual(["bugdet"])
    const broken = (function* (): Analysis.Steps<number> {
      yield { task: "none", done: 0, of: 0, steps: 0 }
      throw new RangeError("of the caller's own")
    })()
    expect(() => result(broken)).toThrow("of the caller's own")
  })

  test("is rejected with what is wrong with the options, or with the turns", async () => {
    const pause = () => setImmediate()
    const asked = Analysis.inTurns(Analysis.steps.check(rules, { budget: 0 }), { pause })
    await expect(asked).rejects.toBeInstanceOf(Analysis.InvalidOptions)
    const { inTurns, steps, InvalidOptions } = Analysis
    const forged: unknown = Reflect.apply(inTurns, undefined, [steps.check(rules), {}])
    await expect(forged).rejects.toBeInstanceOf(InvalidOptions)
  })
})
