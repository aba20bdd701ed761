/** Takes over into the model what an answer acknowledges, and tells where the two do not agree. */
import { endpointOf, otherIn } from "./Endpoints.js"
import type { Answer } from "./Judge.js"
import {
  type AccountModel,
  bigIntOf,
  type Json,
  type KnownPayout,
  listIn,
  openPayment,
  payoutOf,
  recordIn,
  saidOf,
} from "./Model.js"
import type { Sent } from "./Sending.js"
import { isRecord } from "./Shapes.js"

interface Lesson {
  readonly sent: Sent
  readonly answer: Answer
  readonly model: AccountModel
  /** Whether nothing else was under way, so that the answer must show just this change. */
  readonly isAlone: boolean
}

/** Whether a payout has been set off against the one that collects, which then is another too. */
export const isSetOff = (view: Json): boolean => {
  const item = listIn(view, "items").at(-1)
  return isRecord(item) && item.expense_name === "Taken off the next payout"
}

/** The item that was added last by a request. */
const addedItem = (view: Json): Json => {
  const item = listIn(view, "items").at(isSetOff(view) ? -2 : -1)
  return isRecord(item) ? item : {}
}

/** While a payment of a payout is open, what is added goes to another payout, which is the answer. */
function* learnElsewhere(
  { answer, model, isAlone }: Lesson,
  id: string,
  amount: bigint,
): Generator<string> {
  const view = recordIn(answer.json, "data")
  const other = String(view.id)
  const found = payoutOf(view)
  const before = model.payouts.get(other)
  const isFrozen = openPayment(model, id) !== undefined
  if (isAlone && !isFrozen) yield `it is payout ${other}, and ${id} has no open payment`
  if (found.status !== "active") yield `payout ${other} is ${found.status}`
  const total = (before?.total ?? 0n) + amount
  if (isAlone && found.total !== total) yield `the total is ${found.total}, not ${total}`
  model.payouts.set(other, found)
}

const isClosed = ({ status }: KnownPayout): boolean => status !== "active"

/** What an entry leaves of a payout. One below zero that no longer collects is set off against the one that does. */
const withEntry = (
  before: KnownPayout,
  amount: bigint,
  { isAlone, isShown }: { readonly isAlone: boolean; readonly isShown: boolean },
): KnownPayout => {
  const total = before.total + amount
  const count = before.count + 1
  // When others are under way, nobody knows whether it was below zero in between.
  // One that is due is closed by the entry.
  const isBelow = isAlone && total < 0n && (isClosed(before) || isShown)
  return isBelow ? { ...before, total: 0n, count: count + 1 } : { ...before, total, count }
}

/** Whether a payout may be what it was said to be, less what was set off in between. */
export const mayBeSetOff = (said: KnownPayout, found: KnownPayout): boolean =>
  (isClosed(said) || isClosed(found)) &&
  found.count > said.count &&
  found.total >= 0n &&
  found.total >= said.total

function* learnEntry(lesson: Lesson, id: string, sign: 1 | -1): Generator<string> {
  const { sent, answer, model, isAlone } = lesson
  const before = model.payouts.get(id)
  if (before === undefined) return yield `payout ${id} is not there`
  if (isAlone && before.settled !== undefined) yield `payout ${id} was settled before`
  const asked = isRecord(sent.json) ? sent.json : {}
  const amount = BigInt(sign) * bigIntOf(asked.amount)
  const view = recordIn(answer.json, "data")
  const after = withEntry(before, amount, { isAlone, isShown: isSetOff(view) })
  if (view.id !== id) return yield* learnElsewhere(lesson, id, amount)
  if (!isAlone) {
    model.payouts.set(id, after)
    return
  }
  const found = payoutOf(view)
  model.payouts.set(id, found)
  if (found.total !== after.total) yield `the total is ${found.total}, not ${after.total}`
  if (found.count !== after.count) yield `there are ${found.count} items, not ${after.count}`
  const { amount: shown, is_expenses, expense_name } = addedItem(view)
  const name = String(asked.name).trim()
  if (bigIntOf(shown) !== amount || is_expenses !== sign < 0 || expense_name !== name) {
    yield "the last item is not the one that was added"
  }
}

function* learnView({ answer, model, isAlone }: Lesson, id: string): Generator<string> {
  const before = model.payouts.get(id)
  const view = recordIn(answer.json, "data")
  if (view.id !== id) yield `it is payout ${view.id}, not ${id}`
  if (!isAlone || before === undefined) return
  const found = payoutOf(view)
  if (found.total !== before.total || found.count !== before.count) {
    yield `payout ${id} has ${found.count} items and ${found.total}, not ${before.count} and ${before.total}`
  }
  if (before.settled !== undefined && before.settled !== found.settled)
    yield `settled payout ${id} changed`
  if (found.status !== before.status) yield `payout ${id} is ${found.status}, not ${before.status}`
}

function* learnSetPaid({ answer, model, isAlone }: Lesson, id: string): Generator<string> {
  const before = model.payouts.get(id)
  const view = recordIn(answer.json, "data")
  const found = payoutOf(view)
  if (found.status !== "manually paid") yield `payout ${id} is ${found.status}`
  if (before === undefined) return yield `payout ${id} is not there`
  const isSame = found.total === before.total && found.count === before.count
  if (isAlone && !isSame) yield `payout ${id} changed when it was paid`
  model.payouts.set(
    id,
    isAlone ? found : { ...before, status: found.status, settled: "not seen yet" },
  )
}

function* learnMove({ answer, model }: Lesson, id: string, status: string): Generator<string> {
  const before = model.payouts.get(id)
  const found = payoutOf(recordIn(answer.json, "data"))
  if (found.status !== status) yield `payout ${id} is ${found.status}, not ${status}`
  if (found.total !== before?.total) yield `payout ${id} changed when it was moved`
  model.payouts.set(id, found)
}

function* learnGroup({ sent, answer, model, isAlone }: Lesson): Generator<string> {
  if (sent.routed.kind !== "endpoint") return
  const { name, ids } = sent.routed
  const data = recordIn(answer.json, "data")
  const id = String(data.id)
  const said = saidOf(data)
  const before = model.groups.get(ids.group)
  switch (name) {
    case "createGroup":
      if (model.groups.has(id)) yield `group ${id} was there before`
      model.groups.set(id, { collaborator: ids.collaborator, said })
      break
    case "updateGroup":
      if (id !== ids.group) yield `it is group ${id}, not ${ids.group}`
      if (before !== undefined || isAlone)
        model.groups.set(id, { collaborator: ids.collaborator, said })
      break
    case "viewGroup":
      if (isAlone && before?.said !== said) yield `the group is ${said}, it was ${before?.said}`
      break
    case "deleteGroup":
      if (before === undefined && isAlone) yield `group ${ids.group} was not there`
      model.groups.delete(ids.group)
  }
}

/** The id of what was made; agreements are looked up by their kind too, and asked about as advances. */
const idOf = ({ id, kind, agreement }: Json): unknown =>
  isRecord(agreement) ? (kind === "advance" ? agreement.id : undefined) : id

/** What was made is there, what was removed is not. */
const learnOthers = ({ sent, answer, model }: Lesson): void => {
  if (sent.routed.kind !== "endpoint") return
  const endpoint = endpointOf(sent.routed.name)
  const { makes, isKept = false } = endpoint.documented ?? {}
  if (makes !== undefined) {
    const ids = model.others.get(makes) ?? new Set()
    const id = idOf(recordIn(answer.json, "data"))
    if (id !== undefined) model.others.set(makes, ids.add(String(id)))
  }
  if (sent.method !== "DELETE" || isKept) return
  model.others.get(otherIn(endpoint) ?? "")?.delete(sent.routed.ids.other)
}

function* learnSuccess(lesson: Lesson): Generator<string> {
  const { routed } = lesson.sent
  if (routed.kind !== "endpoint") return
  if (endpointOf(routed.name).documented !== undefined) return learnOthers(lesson)
  const { payout } = routed.ids
  if (routed.name === "addExpense") yield* learnEntry(lesson, payout, -1)
  else if (routed.name === "addIncome") yield* learnEntry(lesson, payout, 1)
  else if (routed.name === "setPaid") yield* learnSetPaid(lesson, payout)
  else if (routed.name === "viewPayout") yield* learnView(lesson, payout)
  else if (routed.name === "payPayout") yield* learnMove(lesson, payout, "paid")
  else if (routed.name === "failPayout") yield* learnMove(lesson, payout, "failed")
  else if (routed.name === "retryPayout") yield* learnMove(lesson, payout, "pending")
  else yield* learnGroup(lesson)
}

/** A contradiction is noted although it is refused, so its key is kept. */
const isContradiction = ({ status, text }: Answer): boolean =>
  status === 409 && /says otherwise|is said to be paid/.test(text)

const askingRails = new Set(["sendPayment", "resolvePayment"])

const keepKey = (
  { sent, answer, model }: Lesson,
  { name, print }: NonNullable<Sent["key"]>,
): void => {
  const { status, text } = answer
  const { routed } = sent
  const isLive =
    routed.kind === "endpoint" &&
    (askingRails.has(routed.name) || endpointOf(routed.name).documented?.isLive === true)
  model.keys.set(name, { print, status, text, isLive })
}

/** Takes over what was acknowledged; what the same key was answered before has no effect. */
export function* learn(lesson: Lesson): Generator<string> {
  const { sent, answer, model } = lesson
  const { key } = sent
  if (key !== undefined && isContradiction(answer)) return keepKey(lesson, key)
  if (answer.status >= 300 || sent.method === "HEAD") return
  if (key === undefined) return yield* learnSuccess(lesson)
  const known = model.keys.get(key.name)
  if (known === undefined) {
    keepKey(lesson, key)
    return yield* learnSuccess(lesson)
  }
  if (known.print !== key.print) yield `the key ${key.name} was used for something else before`
  else if (known.isLive !== true && known.text !== answer.text)
    yield `the key ${key.name} was answered otherwise before`
}
