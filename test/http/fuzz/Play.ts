/** Plays steps against a world, and gathers what is wrong with the answers. */
import type { HttpOptions } from "apportion/http"
import { endpointOf } from "./Endpoints.js"
import { type Answer, expect, faultsOf, readAnswer } from "./Judge.js"
import { isSetOff, learn, mayBeSetOff } from "./Learning.js"
import {
  type AccountModel,
  bigIntOf,
  listIn,
  makeModel,
  openPayment,
  paymentOf,
  payoutOf,
  recordIn,
  saidOf,
} from "./Model.js"
import { heldOf, saleFaults } from "./SaleBooks.js"
import { describe, origins, prepare, type Sent } from "./Sending.js"
import { isRecord } from "./Shapes.js"
import type { HostEvent, Intent, Step, Ticks } from "./Steps.js"
import { type Account, accounts, open, type World } from "./World.js"

export interface Fault {
  readonly what: string
  readonly request: string
  readonly answer: string
}

/** How often each endpoint gave each status. */
export type Counts = Map<string, number>

export interface Play {
  readonly world: World
  readonly models: readonly [AccountModel, AccountModel]
  readonly counts: Counts
  readonly faults: Array<Fault>
}

const count = (counts: Counts, name: string): void => {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

const cut = (text: string): string => (text.length > 1_500 ? `${text.slice(0, 1_500)}…` : text)

const showAnswer = ({ status, headers, text }: Answer): string =>
  [String(status), ...[...headers].map((pair) => pair.join(": ")), "", cut(text)].join("\n")

const ask = async (play: Play, account: Account, method: string, path: string): Promise<Answer> => {
  const headers = { authorization: `Bearer ${account.tokens[0]}` }
  return readAnswer(
    await play.world.handler(new Request(`${origins[0]}${path}`, { method, headers })),
  )
}

const complain = (play: Play, what: string, request: string, answer = ""): void => {
  play.faults.push({ what, request, answer })
}

const every = async (
  play: Play,
  account: Account,
  path: string,
): Promise<ReadonlyArray<string>> => {
  const ids: Array<string> = []
  for (let page = 1; ; page++) {
    const { json } = await ask(play, account, "GET", `${path}?per_page=100&page=${page}`)
    const entries = listIn(json, "data")
    ids.push(...entries.map((entry) => (isRecord(entry) ? String(entry.id) : "")))
    if (page >= Number(recordIn(json, "meta").last_page ?? 0)) return ids
  }
}

const viewPayout = async (play: Play, { account }: AccountModel, id: string) => {
  const { json } = await ask(play, account, "GET", `/v1/payouts/${encodeURIComponent(id)}`)
  return payoutOf(recordIn(json, "data"))
}

const groupsPath = (collaborator: string) =>
  `/v1/collaborators/${encodeURIComponent(collaborator)}/products`

const viewGroup = async (
  play: Play,
  { account }: AccountModel,
  collaborator: string,
  id: string,
) => {
  const path = `${groupsPath(collaborator)}/${encodeURIComponent(id)}`
  const { status, json } = await ask(play, account, "GET", path)
  return status === 200 ? saidOf(recordIn(json, "data")) : undefined
}

/** Looks at every payout: those that are settled are as they were, and none is gone. */
const lookAtPayouts = async (play: Play, model: AccountModel, request: string): Promise<void> => {
  const ids = await every(play, model.account, "/v1/payouts")
  if (new Set(ids).size !== ids.length) complain(play, "a payout is listed twice", request)
  const gone = [...model.payouts.keys()].filter((id) => !ids.includes(id))
  if (gone.length > 0) complain(play, `payouts ${gone} are gone`, request)
  for (const id of ids) {
    const before = model.payouts.get(id)
    const found = await viewPayout(play, model, id)
    const isSeen = before?.settled !== undefined && before.settled !== "not seen yet"
    const isFirstPaidByHand = before?.status === "paid" && found.status === "manually paid"
    if (isSeen && before.settled !== found.settled && !isFirstPaidByHand) {
      complain(play, `settled payout ${id} changed`, request)
    }
    model.payouts.set(id, found)
  }
}

const lookAtGroups = async (play: Play, model: AccountModel, request: string): Promise<void> => {
  const found = new Map<string, { readonly collaborator: string; readonly said: string }>()
  for (const collaborator of model.account.collaborators) {
    for (const id of await every(play, model.account, groupsPath(collaborator))) {
      const said = (await viewGroup(play, model, collaborator, id)) ?? "nothing"
      if (found.has(id)) complain(play, `group ${id} is listed twice`, request)
      found.set(id, { collaborator, said })
    }
  }
  const isStarting = model.groups.size === 0
  for (const [id, { said }] of isStarting ? [] : model.groups) {
    const now = found.get(id)?.said
    if (now !== said) complain(play, `group ${id} is ${now}, it was ${said}`, request)
  }
  const added = [...found.keys()].filter((id) => !model.groups.has(id))
  if (!isStarting && added.length > 0) complain(play, `nobody was told of groups ${added}`, request)
  for (const [id, group] of found) model.groups.set(id, group)
}

const endedAlways = new Set(["rejected", "released", "returned"])

/** Looks at every payment: what ended stays so, no payout has two that are open, and what is paid is what it comes to. */
const lookAtPayments = async (play: Play, model: AccountModel, request: string): Promise<void> => {
  const { json } = await ask(play, model.account, "GET", "/v1/payments?limit=1000")
  const found = new Map(
    listIn(json, "data")
      .filter(isRecord)
      .map((payment) => [String(payment.id), paymentOf(payment)] as const),
  )
  const openOf = new Set<string>()
  for (const [id, payment] of found) {
    const before = model.payments.get(id)
    const isOther = before !== undefined && before.said !== payment.said
    if (isOther) complain(play, `payment ${id} is another one`, request)
    const isOver = before !== undefined && endedAlways.has(before.status)
    if (isOver && before.status !== payment.status) complain(play, `payment ${id} goes on`, request)
    if (openPayment({ payments: new Map([[id, payment]]) }, payment.payout) === undefined) continue
    if (openOf.has(payment.payout)) complain(play, `${payment.payout} is paid twice`, request)
    openOf.add(payment.payout)
  }
  const gone = [...model.payments.keys()].filter((id) => !found.has(id))
  if (gone.length > 0) complain(play, `payments ${gone} are gone`, request)
  for (const [id, payment] of found) {
    const isChanged = model.payments.get(id)?.status !== payment.status
    model.payments.set(id, payment)
    if (isChanged) await lookAtPaid(play, model, payment.payout, request)
  }
}

const statusOf: Readonly<Record<string, string>> = {
  ...{ claimed: "pending", sent: "pending", unknown: "pending", confirmed: "paid" },
}

/** A payout whose payment was moved: it is as far as that says, and comes to what is paid. */
const lookAtPaid = async (
  play: Play,
  model: AccountModel,
  id: string,
  request: string,
): Promise<void> => {
  const found = await viewPayout(play, model, id)
  model.payouts.set(id, found)
  const last = [...model.payments.values()].filter(({ payout }) => payout === id).at(-1)
  const wanted = last && statusOf[last.status]
  if (last === undefined || wanted === undefined) return
  const isSame = found.status === wanted && found.total === BigInt(last.amount)
  if (isSame || found.status === "manually paid") return
  complain(play, `payout ${id} is ${found.status} of ${found.total}: ${last.said}`, request)
}

/** Looks at every event: numbers have no gaps, ids are those of one event each, and none is of another account. */
const lookAtEvents = async (play: Play, { account }: AccountModel): Promise<void> => {
  const ids = new Set<string>()
  for (let after = 0; ; ) {
    const { json } = await ask(play, account, "GET", `/v1/events?after=${after}&limit=1000`)
    const events = listIn(json, "data")
    for (const event of events) {
      const { number, id } = isRecord(event) ? event : {}
      if (number !== ++after)
        complain(play, `event ${String(number)} comes, not ${after}`, "events")
      ids.add(String(id))
    }
    if (events.length > 0) continue
    const { last } = recordIn(json, "meta")
    if (last !== after || ids.size !== after) {
      complain(play, `${ids.size} events up to ${after}, the last is ${String(last)}`, "events")
    }
    return
  }
}

interface Held {
  /** What collaborators were ever given. */
  readonly given: bigint | undefined
  /** What collaborators have of all sales in their currency. */
  readonly sales: bigint
  /** The sales in other currencies, of which is not known here what is paid for them. */
  readonly others: string
}

/** What collaborators were ever given, paid or not; `undefined`: one of them has more than a number holds. */
const given = async (play: Play, { account }: AccountModel): Promise<bigint | undefined> => {
  let sum = 0n
  for (const id of account.collaborators) {
    const path = `/v1/collaborators/${encodeURIComponent(id)}/balances`
    const { status, json } = await ask(play, account, "GET", path)
    if (status !== 200) return undefined
    for (const balance of listIn(json, "data").filter(isRecord)) {
      if (balance.currency === account.currency) {
        sum += bigIntOf(balance.total) + bigIntOf(balance.paid)
      }
    }
  }
  return sum
}

/** Looks at every sale, and at what they came to. */
const lookAtSales = async (play: Play, model: AccountModel, request: string): Promise<Held> => {
  let [sales, others] = [0n, ""]
  for (const id of model.others.get("order") ?? []) {
    const path = `/v1/sales/${encodeURIComponent(id)}`
    const { status, json } = await ask(play, model.account, "GET", path)
    if (status !== 200) complain(play, `sale ${id} is gone`, request)
    const view = recordIn(json, "data")
    for (const fault of saleFaults(view)) complain(play, fault, request)
    const held = heldOf(view, model.account.currency)
    if (held === undefined) others += JSON.stringify(view)
    else sales += held
  }
  return { given: await given(play, model), sales, others }
}

const saleNames: ReadonlySet<string> = new Set(["recordSale", "refundSale"])

/** Whether a request may change what was sold. */
const isOfSales = ({ routed, method }: Sent): boolean =>
  method === "POST" && routed.kind === "endpoint" && saleNames.has(routed.name)

/** Nothing but sales and refunds changed: collaborators were given more by what they have more of the sales. */
const lookAtMoved = async (
  play: Play,
  model: AccountModel,
  before: Held,
  request: string,
): Promise<void> => {
  await lookAtPayouts(play, model, request)
  const after = await lookAtSales(play, model, request)
  if (before.given === undefined || after.given === undefined) return
  if (before.others !== after.others) return
  count(play.counts, "sales held against balances")
  const [moved, wanted] = [after.given - before.given, after.sales - before.sales]
  if (moved !== wanted) complain(play, `balances have ${moved} more, the sales ${wanted}`, request)
}

/** What must hold at any time: no entry lost or twice, totals are sums, groups are as last said. */
export const lookAround = async (play: Play): Promise<void> => {
  for (const model of play.models) {
    const before = new Map(model.payouts)
    await lookAtPayouts(play, model, "look around")
    for (const [id, { total, count: items, status }] of before) {
      const now = model.payouts.get(id)
      if (now?.total !== total || now.count !== items || now.status !== status) {
        complain(
          play,
          `payout ${id} has ${now?.count} and ${now?.total} and is ${now?.status}, not ${items} and ${total} and ${status}`,
          "look around",
        )
      }
    }
    await lookAtGroups(play, model, "look around")
    await lookAtEvents(play, model)
    await lookAtSales(play, model, "look around")
  }
}

export const begin = async (
  counts: Counts = new Map(),
  options: HttpOptions = {},
): Promise<Play> => {
  const world = await open({ logRequests: false, ...options })
  const models = [makeModel(accounts[0]), makeModel(accounts[1])] as const
  const play = { world, models, counts, faults: [] }
  for (const model of models) {
    await lookAtPayouts(play, model, "begin")
    model.others.set("order", new Set(["o1"]))
    await lookAtGroups(play, model, "begin")
  }
  return play
}

const modelOf = (play: Play, who: 0 | 1): AccountModel => play.models[who]

const nameOf = ({ routed }: Sent): string => {
  if (routed.kind === "endpoint") return routed.name
  return routed.kind === "page" ? routed.path : routed.kind
}

const movesPayments = new Set(["setPaid", "payPayout", "failPayout", "claimPayout"])

/** Whether payments may be others after a request. */
const mayMovePayments = ({ method, routed }: Sent): boolean =>
  method === "POST" &&
  routed.kind === "endpoint" &&
  (movesPayments.has(routed.name) || routed.name.includes("Payment"))

const tell = (play: Play, sent: Sent, answer: Answer, found: Iterable<string>): void => {
  for (const what of found) complain(play, what, describe(sent), showAnswer(answer))
}

/** Nobody may tell the ids of another account from those that do not exist. */
const probe = async (play: Play, sent: Sent, answer: Answer): Promise<void> => {
  const { foreign } = sent
  if (answer.status !== 404 || !sent.isAsMeant || foreign.length === 0) return
  const twin = (text: string) =>
    foreign.reduce((changed, id) => {
      const other = id.replace(/^./u, "z")
      return changed
        .replaceAll(encodeURIComponent(id), encodeURIComponent(other))
        .replaceAll(id, other)
    }, text)
  const { method } = sent
  if (method === "HEAD" || sent.intent.body.value.kind === "stream") return
  const request = sent.make()
  const body = method === "GET" ? {} : { body: await request.text() }
  const same = new Request(twin(sent.url), { method, headers: request.headers, ...body })
  const other = await readAnswer(await play.world.handler(same))
  const comparable = ({ status, headers, text }: Answer) =>
    JSON.stringify([status, twin(text), [...headers].filter(([name]) => name !== "x-request-id")])
  if (comparable(other) !== comparable(answer)) {
    complain(
      play,
      `an id nobody has is answered otherwise: ${comparable(other)}`,
      describe(sent),
      showAnswer(answer),
    )
  }
}

const playOne = async (play: Play, intent: Intent): Promise<void> => {
  const sent = prepare(intent, play.models)
  if (sent === undefined) return count(play.counts, "not sent")
  await playSent(play, sent)
}

const payoutIdsIn = (value: unknown): ReadonlyArray<string> => {
  if (Array.isArray(value)) return value.flatMap(payoutIdsIn)
  if (!isRecord(value)) return []
  return Object.entries(value).flatMap(([name, part]) => {
    if (name === "payout_id" && typeof part === "string") return [part]
    return name === "payout_ids" && Array.isArray(part) ? part.map(String) : payoutIdsIn(part)
  })
}

const bookings = new Set([
  ...["bookExpense", "bookIncome", "bookRepayment", "writeOffBalance", "requestBalance"],
])

/** What an entry in an answer has added to a payout. */
const bookedIn = (entry: unknown, payoutId: string): bigint =>
  isRecord(entry) && entry.payout_id === payoutId ? bigIntOf(entry.amount) : 0n

/** Whether it is a change that is judged by the document, and was made. */
const isNamedChange = ({ routed, method }: Sent, { status }: Answer): boolean => {
  if (routed.kind !== "endpoint" || method === "GET" || method === "HEAD") return false
  return status < 300 && endpointOf(routed.name).documented !== undefined
}

/** What a change that is judged by the document says to have done to payouts is looked up. */
const lookAtNamed = async (
  play: Play,
  model: AccountModel,
  sent: Sent,
  answer: Answer,
): Promise<void> => {
  const { routed } = sent
  const { json } = answer
  const request = describe(sent)
  if (!isNamedChange(sent, answer) || routed.kind !== "endpoint") return
  const isBooked = bookings.has(routed.name)
  for (const id of new Set(payoutIdsIn(json))) {
    const found = await viewPayout(play, model, id)
    const before = model.payouts.get(id)
    model.payouts.set(id, found)
    const amounts = listIn(json, "data").map((one) => bookedIn(one, id))
    const booked = amounts.reduce((sum, amount) => sum + amount, before?.total ?? 0n)
    // The same id again has no effect.
    const isFine = found.total === booked || found.total === before?.total
    if (isBooked && !isFine) complain(play, `${id} is ${found.total}, not ${booked}`, request)
  }
  // A payout that is due is closed by it, and the next one opened.
  if (isBooked) await lookAtPayouts(play, model, request)
}

const playSent = async (play: Play, sent: Sent): Promise<void> => {
  const { intent } = sent
  const model = modelOf(play, intent.who)
  const expected = expect(sent, model, false)
  const held =
    isOfSales(sent) && sent.isAsMeant ? await lookAtSales(play, model, "before") : undefined
  const answer = await readAnswer(await play.world.handler(sent.make()))
  count(play.counts, `${nameOf(sent)} ${answer.status}`)
  const found = [...faultsOf(sent, answer, expected, model)]
  found.push(...learn({ sent, answer, model, isAlone: true }))
  tell(play, sent, answer, found)
  await lookAtNamed(play, model, sent, answer)
  if (isSetOff(recordIn(answer.json, "data"))) await lookAtPayouts(play, model, describe(sent))
  if (isOfSales(sent) && answer.status < 300) {
    // One that was not meant so moves payouts too.
    if (held === undefined) await lookAtPayouts(play, model, describe(sent))
    else await lookAtMoved(play, model, held, describe(sent))
  }
  if (mayMovePayments(sent)) await lookAtPayments(play, model, describe(sent))
  await probe(play, sent, answer)
}

const wait = async ({ small, large }: Ticks): Promise<void> => {
  for (let turn = 0; turn < large; turn++) await new Promise(setImmediate)
  for (let turn = 0; turn < small; turn++) await Promise.resolve()
}

const goneAway = 499

/** Whoever went away and asks again with the same key gets one effect, whatever became of the first. */
const playBrokenOff = async (play: Play, intent: Intent, ticks: Ticks): Promise<void> => {
  const sent = prepare(intent, play.models)
  if (sent === undefined) return count(play.counts, "not sent")
  const controller = new AbortController()
  const request = new Request(sent.make(), { signal: controller.signal })
  const answered = play.world.handler(request)
  await wait(ticks)
  controller.abort()
  const answer = await readAnswer(await answered)
  count(play.counts, `${nameOf(sent)}, broken off ${answer.status}`)
  if (answer.status !== goneAway) {
    const model = modelOf(play, intent.who)
    const found = [...faultsOf(sent, answer, expect(sent, model, false), model)]
    tell(play, sent, answer, [...found, ...learn({ sent, answer, model, isAlone: true })])
  } else if (await isKept(play, sent)) count(play.counts, "kept for who went away")
  await playSent(play, sent)
}

/** Whether a payout has more items than were acknowledged. */
const isKept = async (play: Play, { routed, who }: Sent): Promise<boolean> => {
  const model = modelOf(play, who)
  const id = routed.kind === "endpoint" ? routed.ids.payout : ""
  const known = model.payouts.get(id)
  if (known === undefined) return false
  return (await viewPayout(play, model, id)).count > known.count
}

/** After a burst: what was touched is as the acknowledged answers say, in whatever order they came. */
const lookAtTouched = async (
  play: Play,
  all: ReadonlyArray<{ readonly sent: Sent; readonly answer: Answer }>,
): Promise<void> => {
  for (const { sent, answer } of all) {
    if (sent.routed.kind !== "endpoint") continue
    const model = modelOf(play, sent.who)
    const { payout: id, group, collaborator } = sent.routed.ids
    const expected = model.payouts.get(id)
    if (expected !== undefined) {
      const found = await viewPayout(play, model, id)
      const { total, count: items } = expected
      const isSame = found.total === total && found.count === items
      if (!isSame && !mayBeSetOff(expected, found)) {
        tell(play, sent, answer, [
          `payout ${id} has ${found.count} and ${found.total}, not ${items} and ${total}`,
        ])
      }
      model.payouts.set(id, found)
    }
    const shown = String(recordIn(answer.json, "data").id)
    const isElsewhere = id !== "" && shown !== id && model.payouts.has(shown)
    if (isElsewhere) model.payouts.set(shown, await viewPayout(play, model, shown))
    const isPair = answer.status < 300
    if (group !== "" && isPair) await lookAtGroup(play, model, { all, collaborator, id: group })
  }
}

const lookAtGroup = async (
  play: Play,
  model: AccountModel,
  touched: {
    readonly all: ReadonlyArray<{ readonly sent: Sent; readonly answer: Answer }>
    readonly collaborator: string
    readonly id: string
  },
): Promise<void> => {
  const { all, collaborator, id } = touched
  const now = await viewGroup(play, model, collaborator, id)
  const ofGroup = all.filter(
    ({ sent }) => sent.routed.kind === "endpoint" && sent.routed.ids.group === id,
  )
  const isRemoved = ofGroup.some(({ answer }) => answer.status === 204)
  const [first] = ofGroup
  if (first === undefined) return
  if (isRemoved && now !== undefined)
    tell(play, first.sent, first.answer, [`group ${id} is still there`])
  const said = ofGroup
    .filter(({ sent, answer }) => answer.status === 200 && sent.method === "PUT")
    .map(({ answer }) => saidOf(recordIn(answer.json, "data")))
  if (!isRemoved && said.length > 0 && !said.includes(String(now))) {
    tell(play, first.sent, first.answer, [
      `group ${id} is ${now}, it was said to be one of ${said}`,
    ])
  }
  if (now === undefined) model.groups.delete(id)
  else model.groups.set(id, { collaborator, said: now })
}

const playTogether = async (play: Play, all: ReadonlyArray<Sent>): Promise<void> => {
  const [one] = all
  const model = one !== undefined && all.every(isOfSales) ? modelOf(play, one.who) : undefined
  const held = model && (await lookAtSales(play, model, "before a burst"))
  const asked = all.map((sent) => ({
    sent,
    expected: expect(sent, modelOf(play, sent.who), true),
    request: sent.make(),
  }))
  const answered = await Promise.all(
    asked.map(async ({ sent, expected, request }) => ({
      sent,
      expected,
      answer: await readAnswer(await play.world.handler(request)),
    })),
  )
  for (const { sent, expected, answer } of answered) {
    const model = modelOf(play, sent.who)
    count(play.counts, `${nameOf(sent)} ${answer.status}`)
    const found = [...faultsOf(sent, answer, expected, model, { isAlone: false })]
    found.push(...learn({ sent, answer, model, isAlone: false }))
    tell(play, sent, answer, found)
  }
  await lookAtTouched(play, answered)
  const mayMove = ({ sent, answer }: (typeof answered)[number]): boolean =>
    isNamedChange(sent, answer) || isSetOff(recordIn(answer.json, "data"))
  if (answered.some(mayMove)) {
    for (const each of play.models) await lookAtPayouts(play, each, "burst")
  }
  if (model !== undefined && held !== undefined) {
    await lookAtMoved(play, model, held, all.map(describe).join("\n\n"))
  }
  for (const each of play.models) await lookAtPayments(play, each, "burst")
}

const playPage = async (play: Play, path: string, method = "GET"): Promise<void> => {
  const request = new Request(`${origins[0]}${path}`, { method })
  const answer = await readAnswer(await play.world.handler(request))
  const isRead = request.method === "GET" || request.method === "HEAD"
  count(play.counts, `${path} ${answer.status}`)
  const isFine =
    answer.status === (isRead ? 200 : 405) && (request.method === "HEAD") === (answer.text === "")
  if (!isFine)
    complain(play, "a page is answered otherwise", `${method} ${path}`, showAnswer(answer))
}

const playHost = async (play: Play, who: 0 | 1, event: HostEvent): Promise<void> => {
  await play.world.host(accounts[who], event)
  if (event === "pass a day" || event === "pass a month") {
    for (const model of play.models) model.keys.clear()
  }
  for (const model of play.models) {
    await lookAtPayments(play, model, `host: ${event}`)
    await lookAtPayouts(play, model, `host: ${event}`)
  }
}

/** The log may tell what failed, but no secrets; and nothing may fail. */
const lookAtLog = (play: Play, request: string): void => {
  for (const { level, text } of play.world.log.splice(0)) {
    if (level !== "Info") complain(play, `the log says: ${level} ${text}`, request)
    if (/zqalphazq|zqomegazq|first-token|second-token/.test(text)) {
      complain(play, `the log tells secrets: ${text}`, request)
    }
  }
}

const requestsOf = (step: Step): ReadonlyArray<Intent> => {
  if (step.kind === "request") return [step.intent]
  if (step.kind === "burst") return step.intents
  return step.kind === "again" ? Array.from({ length: step.times }, () => step.intent) : []
}

/** Plays a step; what is wrong is added to the faults. */
export const playStep = async (play: Play, step: Step): Promise<void> => {
  if (step.kind === "request") await playOne(play, step.intent)
  else if (step.kind === "broken off") await playBrokenOff(play, step.intent, step.ticks)
  else if (step.kind === "page") await playPage(play, step.path, step.method)
  else if (step.kind === "host") await playHost(play, step.who, step.event)
  else {
    const sent = requestsOf(step).map((intent) => prepare(intent, play.models))
    await playTogether(
      play,
      sent.filter((one) => one !== undefined),
    )
  }
  lookAtLog(play, JSON.stringify(step).slice(0, 1_000))
}

/** How many requests a step sends of its own. */
export const sizeOf = (step: Step): number => Math.max(1, requestsOf(step).length)
