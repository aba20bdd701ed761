/**
 * The deeds of an account done once more in the model, in the order in which they took effect: each must be
 * answered as it was.
 */
import { isDeepStrictEqual } from "node:util"
import { orderOf, rates } from "../../service/model/Goods.js"
import * as model from "../../service/model/PayoutModel.js"
import type { Answer, Answers, Call, Deed } from "./Deed.js"
import type { Attempt } from "./WatchedStorage.js"

/** A deed that was done, and what came of it. */
export interface Run {
  readonly number: number
  readonly accountId: string
  /** When, in Unix seconds; for the deed the clock stands still. */
  readonly at: number
  readonly deed: Deed
  /** Its answers, or the tag of its failure. */
  outcome: { readonly answers: Answers } | { readonly failure: string } | undefined
}

/** An account as the model has it after its deeds. */
export interface Replayed {
  readonly state: model.State
  readonly problems: ReadonlyArray<string>
}

interface Book {
  readonly model: { state: model.State }
  /** Place of each payout by its id. */
  readonly places: Map<string, number>
  readonly keys: Map<string, { readonly request: string; readonly answers: Answers }>
}

const placeOf = ({ places }: Book, payoutId: string): number => places.get(payoutId) ?? -1

const viewOf = ({ model: { state } }: Book, place: number): Answer => {
  const payout = state.payouts[place] ?? model.refuse("NotFound")
  const items = payout.items.map(({ id }) => id ?? "")
  return { status: payout.status, total: model.total(payout), items }
}

const moves = {
  pay: model.pay,
  fail: (state: model.State, place: number) => model.fail(state, place, "no account"),
  retry: model.retry,
  setPaid: model.setPaid,
} as const

const callInModel = (book: Book, deed: Call): Answer => {
  const { state } = book.model
  if (deed.kind === "record") {
    const { order, lines } = orderOf(deed.orderId, deed.currency, deed.items, deed)
    return { newItemIds: model.record(state, { ...order, lines }, rates) }
  }
  if (deed.kind === "refund") {
    const { kind: _kind, id, ...asked } = deed
    model.refund(state, id, asked)
    return { refund: id }
  }
  const place = placeOf(book, deed.payoutId)
  if (deed.kind === "expense" || deed.kind === "income") model.addEntry(state, place, deed)
  else if (deed.kind === "remove") model.removeEntry(state, place, deed.itemId)
  else moves[deed.kind](state, place)
  return viewOf(book, place)
}

/**
 * What calls can have changed when one of them is refused. A call alone has changed no payout by then, only
 * what a refund counts at its order.
 */
const touchedBy = ({ model: { state }, places }: Book, calls: ReadonlyArray<Call>) => {
  const orderIds = [...new Set(calls.flatMap((each) => ("orderId" in each ? [each.orderId] : [])))]
  if (calls.length === 1) return { payouts: [], orderIds }
  const named = new Set(
    calls.flatMap((each) => ("payoutId" in each ? [places.get(each.payoutId) ?? -1] : [])),
  )
  const shared = orderIds.flatMap((id) =>
    Object.values(state.orders[id]?.items ?? {}).flatMap(({ shares }) =>
      shares.map(({ payout }) => payout),
    ),
  )
  const touched = new Set([...named, ...shared])
  const payouts = state.payouts.flatMap((payout, place) =>
    payout.status === "active" || touched.has(place) ? [{ place, payout }] : [],
  )
  return { payouts, orderIds }
}

/** Does something in the model whole or not at all. */
const whole = <A>(book: Book, calls: ReadonlyArray<Call>, work: () => A): A => {
  const { state } = book.model
  const { payouts, orderIds } = touchedBy(book, calls)
  const count = state.payouts.length
  const before = structuredClone({
    payouts,
    orders: orderIds.map((id) => ({ id, order: state.orders[id] })),
  })
  const refunds = calls.flatMap((each) => (each.kind === "refund" ? [each.id] : []))
  const knownRefunds = new Set(refunds.filter((id) => state.refunds[id] !== undefined))
  try {
    return work()
  } catch (error) {
    state.payouts.length = count
    for (const { place, payout } of before.payouts) state.payouts[place] = payout
    for (const { id, order } of before.orders) {
      if (order === undefined) delete state.orders[id]
      else state.orders[id] = order
    }
    for (const id of refunds) if (!knownRefunds.has(id)) delete state.refunds[id]
    throw error
  }
}

const answersInModel = (book: Book, deed: Exclude<Deed, { kind: "closeDue" }>): Answers => {
  const all = (calls: ReadonlyArray<Call>) =>
    whole(book, calls, () => calls.map((each) => callInModel(book, each)))
  if (deed.kind === "unit") return all(deed.calls)
  if (deed.kind !== "keyed") return all([deed])
  const request = JSON.stringify(deed.calls)
  const known = book.keys.get(deed.key)
  if (known !== undefined) {
    return known.request === request ? known.answers : model.refuse("KeyReused")
  }
  const answers = all(deed.calls)
  book.keys.set(deed.key, { request, answers })
  return answers
}

/** Learns the ids of the payouts that the model has opened. */
const learnIds = (
  book: Book,
  attempt: Attempt | undefined,
  isDone: boolean,
): string | undefined => {
  const { state } = book.model
  const fresh = state.payouts.slice(book.places.size)
  const opened = isDone ? (attempt?.opened ?? []) : []
  if (opened.length !== fresh.length) {
    return `${opened.length} payouts were opened, in the model ${fresh.length}`
  }
  for (const [index, payout] of fresh.entries()) {
    const id = opened[index]?.payoutId ?? ""
    payout.id = id
    book.places.set(id, book.places.size)
  }
  return undefined
}

const attempted = (work: () => Answers): Run["outcome"] | model.Refused => {
  try {
    return { answers: work() }
  } catch (error) {
    if (error instanceof model.Refused) return error
    throw error
  }
}

const isSame = (outcome: Run["outcome"], expected: Run["outcome"] | model.Refused): boolean =>
  expected instanceof model.Refused
    ? outcome !== undefined && "failure" in outcome && expected.tags.includes(outcome.failure)
    : isDeepStrictEqual(outcome, expected)

const followOne = (book: Book, run: Run, attempt: Attempt | undefined): string | undefined => {
  const { deed, outcome } = run
  if (deed.kind === "closeDue") return "closing is more than one transaction"
  book.model.state.now = run.at
  const expected = attempted(() => answersInModel(book, deed))
  const wrong = learnIds(book, attempt, !(expected instanceof model.Refused))
  if (wrong !== undefined) return wrong
  if (isSame(outcome, expected)) return undefined
  return `the answer is ${JSON.stringify(outcome)}, in the model ${JSON.stringify(expected)}`
}

/** One payout of all that a closing went through. */
const followClosing = (book: Book, run: Run, attempt: Attempt): string | undefined => {
  const { state } = book.model
  state.now = run.at
  const id = attempt.firstPayout ?? ""
  const payout = state.payouts[placeOf(book, id)]
  if (payout === undefined) return `a payout ${id} is closed that is not there`
  const done = model.closeOrRoll(state, payout)
  const { outcome } = run
  const closing = outcome !== undefined && "answers" in outcome ? outcome.answers : undefined
  if (closing === undefined || !("closed" in closing)) return "closing failed"
  const times = (list: ReadonlyArray<string>) => list.filter((each) => each === id).length
  const isTold = {
    closed: times(closing.closed) === 1,
    rolled: times(closing.rolled) === 1,
    nothing: times(closing.closed) + times(closing.rolled) === 0,
  }
  return isTold[done] ? undefined : `payout ${id} was ${done} in the model, not in the answer`
}

const describe = ({ number, at, deed }: Run): string =>
  `run ${number} at ${at}: ${JSON.stringify(deed)}`

/** Does the deeds of an account again in the model; `order` are their transactions as they took effect. */
export const replay = (
  runs: ReadonlyMap<number, Run>,
  order: ReadonlyArray<Attempt>,
  people: model.State["people"],
): Replayed => {
  const state = { now: 0, people: { ...people }, payouts: [], orders: {}, refunds: {} }
  const book: Book = { model: { state }, places: new Map(), keys: new Map() }
  const problems: Array<string> = []
  const note = (run: Run, wrong: string | undefined) => {
    if (wrong !== undefined) problems.push(`${describe(run)}: ${wrong}`)
  }
  const inTime = [...order].sort((a, b) => a.turn - b.turn)
  const last = new Map(inTime.map((attempt) => [attempt.run, attempt]))
  for (const attempt of order) {
    const run = runs.get(attempt.run)
    if (run === undefined) problems.push(`nobody knows of run ${attempt.run}`)
    else if (run.deed.kind === "closeDue") note(run, followClosing(book, run, attempt))
    else if (last.get(attempt.run) === attempt) note(run, followOne(book, run, attempt))
    else if (attempt.writes.size > 0) note(run, "it was done twice")
    // A wrong turn makes everything after it wrong too.
    if (problems.length > 0) return { state, problems }
  }
  for (const run of runs.values()) {
    if (run.deed.kind === "closeDue" || last.has(run.number)) continue
    // Refused before any transaction: at any time.
    note(run, followOne(book, run, undefined))
  }
  return { state, problems }
}
