/**
 * Scripts: steps that are taken one after the other, made up by taking them in memory, so that it is known
 * what each must be answered and what must be left at the end.
 */
import { MemoryStorage } from "apportion/memory"
import { Payouts } from "apportion/service"
import { Effect } from "effect"
import { Chance } from "../../generators/Chance.js"
import { claims } from "../../service/model/Goods.js"
import { type Board, chooseDeed, newBoard } from "./Choice.js"
import type { Deed } from "./Deed.js"
import { type Everything, readEverything } from "./Everything.js"
import { openLane } from "./Lane.js"
import { people, start } from "./Shop.js"
import { type Chore, keyOf, type Outcome, type Step } from "./Step.js"

export interface Script {
  readonly accountId: string
  readonly steps: ReadonlyArray<Step>
  /** What each step must come to. */
  readonly outcomes: ReadonlyArray<Outcome>
  /** The keys under which it leaves answers. */
  readonly keys: ReadonlyArray<string>
  /** What must be left. */
  readonly end: Everything
}

const quarter = 21_600

const product = (number: number) => ({
  id: `q${number}`,
  name: `Product ${number}`,
  vendor: number % 2 === 0 ? "North" : "South",
  tags: [Object.keys(claims)[number % 6] ?? "none", number % 3 === 0 ? "art" : "plain"],
})

const opening: ReadonlyArray<Chore> = [
  ...Object.entries(people).map(
    ([id, terms]): Chore => ({ kind: "collaborator", collaborator: { id, ...terms } }),
  ),
  {
    kind: "products",
    products: Array.from({ length: 12 }, (_, number) => product(number)),
  },
  ...Object.entries(claims).map(
    ([id, { collaboratorId, percent }]): Chore => ({
      kind: "group",
      collaboratorId,
      group: { id, link: { type: "products.tag", values: [id] }, percent },
    }),
  ),
]

const collaborator = (chance: Chance): string => chance.pick(Object.keys(people)) ?? "ada"

const chooseChore = (chance: Chance, number: number): Chore => {
  const some = Array.from({ length: 3 }, () => chance.below(20))
  // Groups beside those that share in the sales; nobody sells what they are for.
  const aside = { collaboratorId: chance.pick(["ada", "ben"]) ?? "ada", groupId: `aside${some[0]}` }
  switch (
    chance.weighted({ products: 3, unproducts: 1, group: 3, regroup: 3, ungroup: 1, terms: 1 })
  ) {
    case "products":
      return { kind: "products", products: some.map(product) }
    case "unproducts":
      return { kind: "unproducts", keys: some.map((each) => `q${each}`) }
    case "group": {
      const link = {
        type: "products.vendor",
        values: [chance.onceIn(2) ? "North" : "South"],
      } as const
      const collaboratorId = collaborator(chance)
      // A condition that no order meets.
      const condition = { type: "referer", values: [`nowhere ${number}`] } as const
      return {
        kind: "group",
        collaboratorId,
        group: { id: aside.groupId, link, condition, percent: 1 },
      }
    }
    case "regroup":
      return {
        kind: "regroup",
        ...aside,
        changes: { link: { type: "products.tag", values: ["art"] } },
      }
    case "ungroup":
      return { kind: "ungroup", ...aside }
    case "terms":
      return {
        kind: "terms",
        collaboratorId: collaborator(chance),
        changes: { payoutThreshold: chance.pick([0, 50, 4_000]) ?? 0 },
      }
  }
}

/** Asked again without a key, these have no second effect by themselves. */
const isNatural = ({ kind }: Deed): boolean =>
  kind === "record" || kind === "refund" || kind === "setPaid" || kind === "closeDue"

/** A deed in a way in which it can be asked for again. */
const keyed = (chance: Chance, deed: Deed, number: number): Deed => {
  if (deed.kind === "keyed" || deed.kind === "closeDue") return deed
  if (isNatural(deed) && chance.onceIn(2)) return deed
  const calls = deed.kind === "unit" ? deed.calls : [deed]
  return { kind: "keyed", key: `step ${number}`, calls }
}

const chooseStep = (chance: Chance, board: Board, number: number): Step["deed"] => {
  const chore = opening[number - 1]
  if (chore !== undefined) return { kind: "chore", chore }
  return chance.onceIn(6)
    ? { kind: "chore", chore: chooseChore(chance, number) }
    : keyed(chance, chooseDeed(chance, board), number)
}

const lookAround = (board: Board) =>
  Effect.flatMap(Payouts, (payouts) =>
    Effect.map(payouts.list(board.accountId, {}, { page: 1, perPage: 9 }), ({ entries }) => {
      board.payouts = entries.map(({ payout }) => ({ id: payout.id, status: payout.status }))
    }),
  )

const keysOf = (steps: ReadonlyArray<Step>): ReadonlyArray<string> => [
  ...new Set(steps.flatMap((step) => keyOf(step) ?? [])),
]

/** Makes up a script of so many steps. */
export const makeScript = (options: {
  readonly accountId: string
  readonly seed: number
  readonly steps: number
}): Promise<Script> =>
  Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const { accountId, seed } = options
        const chance = new Chance(seed)
        const board = newBoard(accountId)
        const lane = yield* openLane(yield* MemoryStorage.make, accountId)
        const steps: Array<Step> = []
        const outcomes: Array<Outcome> = []
        for (let number = 1; number <= opening.length + options.steps; number += 1) {
          const deed = chooseStep(chance, board, number)
          const step: Step = { number, at: start + number * quarter, deed }
          steps.push(step)
          outcomes.push(yield* lane.take(step))
          yield* Effect.orDie(lane.use(lookAround(board)))
        }
        const keys = keysOf(steps)
        return { accountId, steps, outcomes, keys, end: yield* readEverything(lane, keys) }
      }),
    ),
  )

/** The same without the steps that are refused: these can be taken again at any time. */
export const withoutRefusals = (script: Script): Script => {
  const isDone = (index: number) => {
    const outcome = script.outcomes[index]
    return outcome !== undefined && "answers" in outcome
  }
  return {
    ...script,
    steps: script.steps.filter((_, index) => isDone(index)),
    outcomes: script.outcomes.filter((_, index) => isDone(index)),
  }
}
