import type { Collaborators } from "apportion/service"
import * as services from "apportion/service"
import { Payouts, Sales } from "apportion/service"
import { Effect, type Result } from "effect"
import fc from "fast-check"
import { expect } from "vitest"
import type { Terms } from "./DueDate.js"
import { itemIds, orderOf, rates } from "./Goods.js"
import * as model from "./PayoutModel.js"
import { checkAgreement, inListOrder, type Model, outcomeOf, type Real } from "./PayoutShop.js"
import { account, type Services } from "./Shop.js"

/** Something that is done to the shop and to its model. */
export type Command = fc.AsyncCommand<Model, Real>
type Failure = { readonly _tag: string }

/** How a command is done in the service and in the model. */
interface Deed {
  readonly call: Effect.Effect<unknown, Failure, Services>
  readonly copy: (state: model.State) => unknown
  /** What else must be right when both did it. */
  readonly compare?: (answer: unknown, copied: unknown) => void
}

const command = (
  name: string,
  details: unknown,
  deed: (state: model.State, real: Real) => Deed,
): Command => ({
  check: () => true,
  toString: () => `${name}(${fc.stringify(details)})`,
  run: async (known, real) => {
    const { call, copy, compare } = deed(known.state, real)
    const expected = model.attempt(known, copy)
    const result: Result.Result<unknown, Failure> = await real.run(call)
    const outcome = outcomeOf(result)
    real.tally.add(`${name} ${outcome === "done" ? "done" : "refused"}`)
    real.tally.add(`${name}: ${outcome}`)
    if (expected instanceof model.Refused) expect(expected.tags).toContain(outcome)
    else expect(outcome).toBe("done")
    if (!(expected instanceof model.Refused) && result._tag === "Success") {
      compare?.(result.success, expected.value)
    }
    await checkAgreement(known, real)
  },
})

/** Which payout is meant: one of a status if there is any, else any; or one that is not there. */
interface Pick {
  readonly status: model.Status
  readonly number: number
  readonly isUnknown: boolean
}

const statuses = ["active", "pending", "paid", "failed", "manually paid"] as const

const pick: fc.Arbitrary<Pick> = fc.record({
  status: fc.constantFrom(...statuses),
  number: fc.nat({ max: 100 }),
  isUnknown: fc.nat({ max: 30 }).map((n) => n === 0),
})

const placeOf = ({ payouts }: model.State, { status, number, isUnknown }: Pick): number => {
  if (isUnknown) return -1
  const wanted = payouts.flatMap((each, place) => (each.status === status ? [place] : []))
  const all = wanted.length > 0 ? wanted : payouts.map((_, place) => place)
  return all[number % Math.max(1, all.length)] ?? -1
}

const chosen = (state: model.State, which: Pick) => {
  const place = placeOf(state, which)
  const payout = state.payouts[place]
  return { place, payout, id: payout?.id ?? "no such payout" }
}

const payouts = <A, E>(use: (service: services.PayoutsService) => Effect.Effect<A, E>) =>
  Effect.flatMap(Payouts, use)

const currencies = ["USD", "USD", "EUR", "JPY", "KWD"] as const

interface RecordDetails {
  readonly number: number
  readonly ids: ReadonlyArray<string>
  readonly isGreedy: boolean
  readonly isChanged: boolean
  readonly isOtherCurrency: boolean
}

const recordCommand = (details: RecordDetails): Command =>
  command("record", details, () => {
    const { number, ids, isGreedy, isChanged, isOtherCurrency } = details
    const currency = isOtherCurrency ? "USD" : (currencies[number % currencies.length] ?? "USD")
    const all = isGreedy ? [...ids, "i5"] : ids
    const { order, lines } = orderOf(`o${number}`, currency, all, { isChanged })
    return {
      call: Effect.map(
        Effect.flatMap(Sales, (sales) => sales.record(account, order)),
        ({ newItemIds }) => newItemIds,
      ),
      copy: (state) => model.record(state, { ...order, lines }, rates),
      compare: (answer, copied) => expect(answer).toEqual(copied),
    }
  })

const record = fc
  .record({
    number: fc.integer({ min: 1, max: 12 }),
    ids: fc.uniqueArray(fc.constantFrom(...itemIds.filter((id) => id !== "i5")), {
      minLength: 1,
      maxLength: 4,
    }),
    isGreedy: fc.nat({ max: 9 }).map((n) => n === 0),
    isChanged: fc.nat({ max: 9 }).map((n) => n === 0),
    isOtherCurrency: fc.nat({ max: 20 }).map((n) => n === 0),
  })
  .map(recordCommand)

const refund = fc
  .record({
    id: fc.oneof(
      { weight: 1, arbitrary: fc.constantFrom("r1", "r2", "r3") },
      { weight: 4, arbitrary: fc.integer({ min: 10, max: 9_999 }).map((n) => `r${n}`) },
    ),
    order: fc.nat({ max: 100 }),
    item: fc.nat({ max: 100 }),
    isUnknown: fc.nat({ max: 20 }).map((n) => n === 0),
    part: fc.constantFrom("all", "half", "third", "cent", "unit", "units", "none", "against"),
  })
  .map((details) =>
    command("refund", details, ({ orders }) => {
      const sold = Object.entries(orders).flatMap(([orderId, { items }]) =>
        Object.entries(items).map(([itemId, item]) => ({ orderId, itemId, item })),
      )
      const { id, isUnknown, part } = details
      const target = sold[(details.order * 7 + details.item) % Math.max(1, sold.length)]
      const net = (target?.item.amount ?? 1) - (target?.item.discount ?? 0)
      const figures = {
        all: { amount: net },
        half: { amount: net / 2 },
        third: { amount: Math.trunc(net / 3) },
        cent: { amount: Math.sign(net) },
        unit: { quantity: 1 },
        units: { quantity: target?.item.quantity ?? 1 },
        none: { amount: 0 },
        against: { amount: -net },
      }[part]
      const asked = {
        orderId: target?.orderId ?? "no such order",
        itemId: isUnknown ? "no such item" : (target?.itemId ?? "no such item"),
        ...figures,
      }
      return {
        call: Effect.flatMap(Sales, (sales) => sales.refund(account, { id, ...asked })),
        copy: (state) => model.refund(state, id, asked),
      }
    }),
  )

interface EntryDetails {
  readonly kind: "expense" | "income"
  readonly which: Pick
  readonly id: string | undefined
  readonly amount: number
  readonly name: string
}

const entryCommand = ({ kind, which, ...given }: EntryDetails): Command =>
  command(kind, { which, ...given }, (state) => {
    const { place, id } = chosen(state, which)
    return {
      call: payouts((service) =>
        kind === "expense"
          ? service.addExpense(account, id, given)
          : service.addIncome(account, id, given),
      ),
      copy: (copied) => model.addEntry(copied, place, { kind, ...given }),
    }
  })

const entry = fc
  .record({
    kind: fc.constantFrom("expense" as const, "income" as const),
    which: pick,
    id: fc.option(fc.constantFrom("e1", "e2", "e3", "e4"), { nil: undefined }),
    amount: fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(1, 500, 500, 2_000, 70_000) },
      { weight: 1, arbitrary: fc.constantFrom(0, -5, Number.MAX_SAFE_INTEGER) },
    ),
    name: fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom("Samples", " Bonus ", "é".repeat(200)) },
      { weight: 1, arbitrary: fc.constantFrom("", "  ", "x".repeat(201)) },
    ),
  })
  .map(entryCommand)

const remove = fc
  .record({
    which: pick,
    item: fc.nat({ max: 20 }),
    isEntry: fc.constantFrom(true, true, true, false),
  })
  .map((details) =>
    command("remove", details, (state) => {
      const isEntry = ({ kind }: model.ModelItem) => kind === "expense" || kind === "income"
      const others = details.isEntry
        ? state.payouts.filter((each) => each.items.some(isEntry) && !model.isSettled(each))
        : []
      const other = others[details.item % Math.max(1, others.length)]
      const { place, payout, id } =
        other === undefined
          ? chosen(state, details.which)
          : { place: state.payouts.indexOf(other), payout: other, id: other.id ?? "" }
      const all = payout?.items ?? []
      const from = details.isEntry ? all.filter(isEntry) : all
      const itemId = from[details.item % (from.length + 1)]?.id ?? "no such item"
      return {
        call: payouts((service) => service.removeEntry(account, id, itemId)),
        copy: (copied) => model.removeEntry(copied, place, itemId),
      }
    }),
  )

const closeDueCommand = command("close due", {}, (before, real) => ({
  call: payouts((service) => service.closeDue(account)),
  copy: (state) => {
    for (const { status } of before.payouts) real.tally.add(`${status}, close`)
    const places = model.closeDue(state)
    for (const _closed of places.closed) real.tally.add("a payout closed")
    for (const _rolled of places.rolled) real.tally.add("a payout rolled")
    const names = (list: ReadonlyArray<number>) =>
      list.map((place) => state.payouts[place]?.id).sort()
    return { closed: names(places.closed), rolled: names(places.rolled) }
  },
  compare: (answer, copied) => {
    const { closed, rolled } = answer as services.Closing
    expect({ closed: [...closed].sort(), rolled: [...rolled].sort() }).toEqual(copied)
  },
}))

const closeDue = fc.constant(closeDueCommand)

const events = {
  pay: (service: services.PayoutsService, id: string) => service.pay(account, id),
  fail: (service: services.PayoutsService, id: string) => service.fail(account, id, "no account"),
  retry: (service: services.PayoutsService, id: string) => service.retry(account, id),
  "set-paid": (service: services.PayoutsService, id: string) => service.setPaid(account, id),
} as const

const copies = {
  pay: model.pay,
  fail: (state: model.State, place: number) => model.fail(state, place, "no account"),
  retry: model.retry,
  "set-paid": model.setPaid,
} as const

const eventCommand = (name: keyof typeof events, which: Pick): Command =>
  command(name, which, (state, real) => {
    const { place, payout, id } = chosen(state, which)
    if (payout !== undefined) real.tally.add(`${payout.status}, ${name}`)
    return {
      call: payouts((service): Effect.Effect<unknown, Failure> => events[name](service, id)),
      copy: (copied) => copies[name](copied, place),
    }
  })

const event = fc
  .record({
    name: fc.constantFrom("pay" as const, "pay" as const, "fail", "retry", "set-paid"),
    which: pick,
  })
  .map(({ name, which }) => eventCommand(name, which))

const day = 86_400

interface WaitDetails {
  readonly how: "due" | "payable" | "time"
  readonly number: number
  readonly off: number
  readonly seconds: number
}

/** Some time, or up to a moment that matters to a payout: exactly, a second before, a second after. */
const waitCommand = (details: WaitDetails): Command =>
  command("wait", details, ({ payouts: all, now }, real) => {
    const { how, number, off, seconds } = details
    const moments = all
      .map((each) => (how === "due" ? each.toBePaidAt : each.payableAt) ?? 0)
      .filter((at) => at + off > now)
    const moment = how === "time" ? undefined : moments[number % Math.max(1, moments.length)]
    const until = moment === undefined ? now + seconds : moment + off
    real.clock.now = until
    return {
      call: Effect.void,
      copy: (state) => {
        state.now = until
      },
    }
  })

const wait = fc
  .record({
    how: fc.constantFrom("due" as const, "due" as const, "payable", "time"),
    number: fc.nat({ max: 50 }),
    off: fc.constantFrom(-1, 0, 0, 1),
    seconds: fc.constantFrom(1, 3_600, day - 1, day, 7 * day, 40 * day),
  })
  .map(waitCommand)

export const terms: fc.Arbitrary<Terms> = fc
  .record({
    currency: fc.constantFrom("USD", "USD", "EUR", "JPY"),
    dates: fc.constantFrom<Pick2>(
      { payoutMeasurement: "month", payoutFrequency: 1 },
      { payoutMeasurement: "month", payoutFrequency: 2 },
      { payoutMeasurement: "monthly_date", payoutFrequency: 1 },
      { payoutMeasurement: "monthly_date", payoutFrequency: 28 },
      { payoutMeasurement: "monthly_date", payoutFrequency: -1 },
      { payoutMeasurement: "week", payoutFrequency: 2 },
      { payoutMeasurement: "day", payoutFrequency: 10 },
    ),
    payoutThreshold: fc.constantFrom(0, 0, 1, 700, 3_000),
    payoutHoldingDays: fc.constantFrom(null, 0, 3, 20),
    shouldPayAutomatically: fc.constantFrom(true, true, true, false),
  })
  .map(({ dates, ...rest }) => ({ ...rest, ...dates }))

type Pick2 = { readonly [Name in "payoutMeasurement" | "payoutFrequency"]: Terms[Name] }

const changeTerms = fc
  .record({ who: fc.constantFrom("ada", "ben", "cam", "nobody"), to: terms })
  .map(({ who, to }) =>
    command("change terms", { who, to }, () => ({
      call: Effect.flatMap(services.Collaborators, (service: Collaborators["Service"]) =>
        service.update(account, who, to),
      ),
      copy: (state) => model.setTerms(state, who, to),
    })),
  )

const range = fc.record(
  { from: fc.integer({ min: -25, max: 20 }), to: fc.integer({ min: -20, max: 25 }) },
  { requiredKeys: [] },
)

const list = fc
  .record({
    page: fc.integer({ min: 1, max: 4 }),
    perPage: fc.integer({ min: 1, max: 4 }),
    filter: fc.record(
      {
        collaboratorId: fc.constantFrom("ada", "ben", "cam"),
        status: fc.constantFrom(...statuses),
        paid: range,
        expected: range,
      },
      { requiredKeys: [] },
    ),
  })
  .map((details) =>
    command("list", details, ({ now }) => {
      const { page, perPage, filter } = details
      const inDays = (given: { readonly from?: number; readonly to?: number } | undefined) =>
        given && {
          ...(given.from === undefined ? {} : { from: now + given.from * day }),
          ...(given.to === undefined ? {} : { to: now + given.to * day }),
        }
      const paid = inDays(filter.paid)
      const expected = inDays(filter.expected)
      const isIn = (at: number | null, given: typeof paid) =>
        given === undefined || (at !== null && at >= (given.from ?? at) && at <= (given.to ?? at))
      const isAsked = (each: model.ModelPayout) =>
        each.collaboratorId === (filter.collaboratorId ?? each.collaboratorId) &&
        each.status === (filter.status ?? each.status) &&
        isIn(each.paidAt, paid) &&
        isIn(each.toBePaidAt, expected)
      const isBackwards = [paid, expected].some(
        (given) => (given?.from ?? Number.NEGATIVE_INFINITY) > (given?.to ?? Infinity),
      )
      return {
        call: Effect.map(
          payouts((service) =>
            service.list(account, { ...filter, paid, expected }, { page, perPage }),
          ),
          ({ entries, total }) => ({ ids: entries.map((each) => each.payout.id), total }),
        ),
        copy: (state) => {
          if (isBackwards) model.refuse("InvalidPayoutFilter")
          const found = inListOrder(state.payouts).filter(isAsked)
          const ids = found.map(({ id }) => id)
          return { ids: ids.slice((page - 1) * perPage, page * perPage), total: ids.length }
        },
        compare: (answer, copied) => expect(answer).toEqual(copied),
      }
    }),
  )

const listPayable = fc.record({ limit: fc.integer({ min: 0, max: 5 }) }).map((details) =>
  command("list payable", details, () => ({
    call: Effect.map(
      payouts((service) => service.listPayable(account, details.limit)),
      (found) => found.map(({ payout }) => payout.id),
    ),
    copy: (state) =>
      state.payouts
        .filter(
          (each) =>
            each.status === "pending" &&
            (each.payableAt ?? 0) <= state.now &&
            model.total(each) >= 0 &&
            state.people[each.collaboratorId]?.shouldPayAutomatically === true,
        )
        .sort((a, b) =>
          a.payableAt === b.payableAt
            ? (a.id ?? "") < (b.id ?? "")
              ? -1
              : 1
            : (a.payableAt ?? 0) - (b.payableAt ?? 0),
        )
        .map(({ id }) => id)
        .slice(0, details.limit),
    compare: (answer, copied) => expect(answer).toEqual(copied),
  })),
)

const replay = fc.record({ number: fc.integer({ min: 1, max: 13 }) }).map((details) =>
  command("replay", details, () => ({
    call: Effect.flatMap(Sales, (sales) => sales.replay(account, `o${details.number}`)),
    copy: ({ orders }) => {
      if (orders[`o${details.number}`] === undefined) model.refuse("NotFound")
    },
  })),
)

const first = (status: model.Status): Pick => ({ status, number: 0, isUnknown: false })

const sell = (number: number, ids: ReadonlyArray<string>): Command =>
  recordCommand({ number, ids, isGreedy: false, isChanged: false, isOtherCurrency: false })

const until = (how: "due" | "payable"): Command =>
  waitCommand({ how, number: 0, off: 0, seconds: 40 * day })

const spend: Command = entryCommand({
  kind: "expense",
  which: first("pending"),
  id: undefined,
  amount: 70_000,
  name: "Samples",
})

/** A shop in the middle of its life: payouts in most statuses. */
export const earlierLife: ReadonlyArray<Command> = [
  ...[sell(1, ["i1", "i2", "i4"]), sell(2, ["i1", "i4"]), sell(5, ["i2"])],
  ...[until("due"), until("due"), until("due"), closeDueCommand],
  ...[eventCommand("pay", first("pending"))],
  ...[until("payable"), until("payable"), until("payable"), closeDueCommand],
  ...[eventCommand("pay", first("pending")), eventCommand("fail", first("pending"))],
  ...[eventCommand("retry", first("failed")), eventCommand("fail", first("pending"))],
  ...[spend, eventCommand("pay", first("pending"))],
  ...[sell(6, ["i1", "i2", "i4"]), eventCommand("set-paid", first("active"))],
  ...[sell(7, ["i1", "i2"]), sell(10, ["i4"])],
  eventCommand("set-paid", { ...first("active"), isUnknown: true }),
]

const waysTo: Readonly<Record<model.Status, ReadonlyArray<Command>>> = {
  active: [],
  pending: [until("due"), closeDueCommand],
  paid: [until("due"), closeDueCommand, until("payable"), eventCommand("pay", first("pending"))],
  failed: [until("due"), closeDueCommand, eventCommand("fail", first("pending"))],
  "manually paid": [eventCommand("set-paid", first("active"))],
}

/** For each status and event, how one payout comes to the status and then meets the event. */
export const pairs: ReadonlyArray<{
  readonly name: string
  readonly way: ReadonlyArray<Command>
}> = statuses.flatMap((status) => {
  const way = [sell(1, ["i2"]), ...waysTo[status]]
  const last = {
    close: closeDueCommand,
    pay: eventCommand("pay", first(status)),
    fail: eventCommand("fail", first(status)),
    retry: eventCommand("retry", first(status)),
    "set-paid": eventCommand("set-paid", first(status)),
  }
  return Object.entries(last).map(([event, met]) => ({
    name: `${status}, ${event}`,
    way: [...way, met],
  }))
})

/** A payout that is pending, past its holding days, and owes its collaborator less than nothing. */
export const overspent: ReadonlyArray<Command> = [
  ...[sell(1, ["i2"]), ...waysTo.pending, eventCommand("pay", first("pending"))],
  ...[until("payable"), spend, eventCommand("pay", first("pending"))],
]

/** The commands, often those that change something. */
export const commands = (maxCommands: number): fc.Arbitrary<Iterable<Command>> =>
  fc.commands(
    [
      ...[record, record, record, refund, refund, entry, entry, remove, closeDue, closeDue],
      ...[event, event, event, event, wait, wait, wait, changeTerms, list, listPayable, replay],
    ],
    { maxCommands, size: "max" },
  )
