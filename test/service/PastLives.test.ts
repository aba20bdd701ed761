import { type Order, ProductGroup } from "apportion"
import { makeApportion } from "apportion/promise"
import fc from "fast-check"
import { expect, test } from "vitest"
import { isAll, runs } from "../generators/Runs.js"
import { Books, isGone, type Lot, type Rule } from "./SecondReckoning.js"

// Shops with a past: sales and refunds of the past are imported while others come, rules change, past sales are split
// again, and payouts are closed, paid and set as paid. What everybody has is reckoned a second time, from the decisions.

const shop = "shop"
const day = 86_400
const begin = Date.UTC(2024, 0, 31, 23, 59, 59) / 1_000
const paidUntil = Date.UTC(2024, 0, 20, 12) / 1_000
const names = ["ada", "ben", "cäm/☕", "dan"] as const
const products = ["p1", "p/2"] as const
const currencies = ["EUR", "USD", "JPY", "KWD"] as const

const rateAt = (from: string, to: string, at: number): string => {
  const months = new Date(at * 1_000).getUTCMonth() + 1
  return `${(from.charCodeAt(0) % 3) + 1}.${to.charCodeAt(0)}${months}7`
}

const person = (id: string) =>
  fc.record({
    id: fc.constant(id),
    currency: fc.constantFrom("EUR", "EUR", "USD", "JPY"),
    every: fc.constantFrom("month", "week", "day"),
    frequency: fc.integer({ min: 1, max: 3 }),
    holdingDays: fc.constantFrom(0, 0, 5),
    threshold: fc.constantFrom(0, 0, 900),
  })

const points = fc.constantFrom(0, 1, 333, 1_000, 1_250, 1_999, 2_500)
const amount = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 0, max: 20_000 }) },
  { weight: 2, arbitrary: fc.integer({ min: -9_000, max: -1 }) },
)
const item = fc
  .record({
    product: fc.constantFrom(...products),
    amount,
    discount: fc.constantFrom(0, 0, 7),
    quantity: fc.integer({ min: 1, max: 3 }),
  })
  .map((one) => ({ ...one, discount: one.amount < one.discount ? 0 : one.discount }))
const sale = {
  orderId: fc.constantFrom("o1", "o2", "o3", "o/4", "ö5"),
  currency: fc.constantFrom(...currencies),
  items: fc.array(item, { minLength: 1, maxLength: 2 }),
  daysAgo: fc.integer({ min: 0, max: 420 }),
}
const pick = fc.nat(1_000)

const deed = fc.oneof(
  { weight: 5, arbitrary: fc.record({ type: fc.constant("sale"), ...sale }) },
  { weight: 5, arbitrary: fc.record({ type: fc.constant("past sale"), ...sale }) },
  {
    weight: 9,
    arbitrary: fc.record({
      type: fc.constantFrom("refund", "past refund"),
      pick,
      how: fc.constantFrom("units", "money", "rest"),
      size: fc.integer({ min: 0, max: 12_000 }),
      daysAgo: sale.daysAgo,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constant("rule"), pick, points }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      type: fc.constant("resplit"),
      of: fc.constantFrom("all", "all", "orders", "sold", "recorded", "collaborator", "product"),
      pick,
      daysAgo: sale.daysAgo,
      given: fc.option(fc.tuple(points, points, points), { nil: undefined, freq: 2 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ type: fc.constant("close") }) },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant("event"),
      event: fc.constantFrom("pay", "pay", "set-paid", "fail", "retry"),
      pick,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant("entry"),
      pick,
      amount: fc.integer({ min: 1, max: 900 }),
    }),
  },
)

type Deed = typeof deed extends fc.Arbitrary<infer Value> ? Value : never

const life = fc.record({
  people: fc.tuple(...names.map(person)),
  maturityDays: fc.constantFrom(0, 0, 10),
  percents: fc.tuple(points, points, points),
  deeds: fc.array(fc.record({ wait: fc.constantFrom(0, 0, 1, 9, 31), deed }), {
    minLength: 3,
    maxLength: 22,
  }),
})

type Life = typeof life extends fc.Arbitrary<infer Value> ? Value : never

/** What has to be reached, each at least once. */
const kinds = [
  ...["sale", "past sale", "usual refund of past", "usual refund of lived", "refused"],
  ...["past refund of past", "re-split of recorded", "re-split of orders", "re-split of all"],
  ...["re-split of sold", "re-split of product", "re-split of collaborator", "second re-split"],
  ...["re-split of the past", "refund after a re-split", "set-paid", "refused event"],
]

const reached = new Set<string>()
const reach = (what: string) => reached.add(what)

const groupOf = ({ id, who, product, points: value }: Rule) =>
  ProductGroup.make({
    id,
    collaboratorId: who,
    link:
      product === undefined
        ? { type: "products.all" }
        : { type: "products", modifier: "WITH", values: [product] },
    percent: (value / 100).toFixed(2),
  })

const asOrder = (
  { orderId, currency, items }: Extract<Deed, { type: "sale" | "past sale" }>,
  lots: ReadonlyArray<Lot>,
  createdAt: number,
) => {
  // An order has one currency, and what comes to it later is more of its items.
  const known = lots.filter((lot) => lot.orderId === orderId)
  const place = known.reduce((sum, lot) => sum + lot.items.length, 0)
  const id = (index: number) => `i/${place + index}`
  const earlier = known.flatMap((lot) => lot.items.map(({ thing }) => thing))
  const things = items.map((one, index) => ({ ...one, id: id(index) }))
  const whole: Order.Order = {
    ...{ id: orderId, currency: known[0]?.currency ?? currency, createdAt },
    items: [...earlier, ...things].map(({ product, ...one }) => ({
      ...one,
      product: { id: product },
    })),
  }
  return { whole, things, currency: whole.currency, createdAt }
}

const openShop = async ({ people, maturityDays, percents: [one, two, three] }: Life) => {
  const clock = { now: begin }
  const all = await makeApportion({
    now: () => clock.now,
    settings: { maturityDays },
    exchangeRates: async ({ from, to, at }) => rateAt(from, to, at),
  })
  for (const { id, currency, every, frequency, holdingDays, threshold } of people) {
    await all.collaborators.create(shop, {
      ...{ id, currency, payoutMeasurement: every, payoutFrequency: frequency },
      ...{ payoutHoldingDays: holdingDays, payoutThreshold: threshold },
    })
  }
  const rules: Array<Rule> = [
    { id: "g/1", who: "ada", product: undefined, points: one },
    { id: "g2", who: "ben", product: undefined, points: two },
    { id: "g3", who: "cäm/☕", product: "p1", points: three },
  ]
  for (const rule of rules) {
    const { id, link, percent } = groupOf(rule)
    await all.groups.create(shop, rule.who, { id, link, percent })
  }
  return { all, clock, rules, people, books: new Books({ people, paidUntil, rateAt }), count: 0 }
}

type Shop = Awaited<ReturnType<typeof openShop>>

const onePage = { page: 1, perPage: 100 }

const listed = async ({ all }: Shop) =>
  (await all.payouts.list(shop, {}, onePage)).entries.map(({ payout }) => payout)

const sell = async (
  { all, clock, rules, books }: Shop,
  sale: Extract<Deed, { type: "sale" | "past sale" }>,
) => {
  const isPast = sale.type === "past sale"
  const createdAt = (isPast ? paidUntil - 1 : clock.now) - sale.daysAgo * day
  const { whole, things, currency } = asOrder(sale, books.lots, createdAt)
  const about = { orderId: sale.orderId, currency, soldAt: createdAt, items: things }
  if (isPast) {
    const given = [{ sale: whole }]
    expect(await all.pastSales.recordAll(shop, given, { paidUntil })).toEqual([
      { type: "imported" },
    ])
    expect(await all.pastSales.recordAll(shop, given, { paidUntil })).toEqual([{ type: "known" }])
    books.record(about, rules, undefined)
  } else {
    const { newItemIds } = await all.sales.record(shop, whole)
    expect(newItemIds).toEqual(things.map(({ id }) => id))
    books.record(about, rules, clock.now)
  }
  reach(sale.type)
}

const takeBack = async (
  world: Shop,
  { type, pick: place, how, size, daysAgo }: Extract<Deed, { type: "refund" | "past refund" }>,
) => {
  const { all, clock, books } = world
  const sold = books.lots.flatMap((lot) => lot.items.map((one) => ({ lot, one })))
  const open = sold.filter(({ one }) => !isGone(one))
  const found = open[place % Math.max(1, open.length)]
  if (found === undefined) return
  const { lot, one } = found
  const { thing } = one
  const sign = Math.sign(thing.amount - thing.discount)
  const how2 = how === "money" && (sign === 0 || size === 0) ? "rest" : how
  const asked = {
    orderId: lot.orderId,
    itemId: thing.id,
    ...(how2 === "units" ? { quantity: 1 } : {}),
    ...(how2 === "money" ? { amount: sign * size } : {}),
    ...(how2 === "rest" ? { remaining: true as const } : {}),
  }
  world.count += 1
  const id = `r${world.count}`
  // A refund of what was recorded as usual, or changed since, is recorded as usual.
  const isOfPast = type === "past refund"
  const isUsual = lot.adjustments > 0 || (!lot.isPast && one.claims.length > 0)
  const isPast = isOfPast && !isUsual
  const refundedAt = isOfPast ? paidUntil - 1 - daysAgo * day : clock.now
  const isDone = books.refund(asked, isPast ? refundedAt : clock.now, isPast)
  const refund = { ...asked, id, refundedAt }
  if (isOfPast) {
    const [outcome] = await all.pastSales.recordAll(shop, [{ refund }], { paidUntil })
    const type = isPast ? "imported" : "recorded"
    expect(outcome?.type).toBe(isDone ? type : "refused")
  } else {
    const done = all.sales.refund(shop, refund)
    await (isDone ? done : expect(done).rejects.toMatchObject({ _tag: "RefundExceedsItem" }))
  }
  reach(
    isDone ? `${isPast ? "past" : "usual"} refund of ${lot.isPast ? "past" : "lived"}` : "refused",
  )
  if (isDone && lot.adjustments > 0) reach("refund after a re-split")
}

const chosen = (
  { books, clock }: Shop,
  { of, pick: place, daysAgo }: Extract<Deed, { type: "resplit" }>,
) => {
  const { lots } = books
  const isAll = () => true
  const edge = lots[place % Math.max(1, lots.length)]
  const from = edge?.soldAt ?? clock.now - daysAgo * day
  const some = new Set([edge?.orderId ?? "none"])
  const who = names[place % names.length] ?? "ada"
  const product = products[place % products.length] ?? "p1"
  switch (of) {
    case "orders":
      return { request: { orderIds: [...some] }, isOf: (lot: Lot) => some.has(lot.orderId) }
    case "sold":
      return { request: { sold: { from } }, isOf: (lot: Lot) => lot.soldAt >= from }
    case "recorded": {
      const to = edge?.recordedAt ?? from
      return { request: { sales: { recorded: { to } } }, isOf: (lot: Lot) => lot.recordedAt <= to }
    }
    case "collaborator":
      return {
        request: { sales: { collaboratorId: who } },
        isOf: (lot: Lot) => lot.items.some(({ sharers }) => sharers.has(who)),
      }
    case "product":
      return {
        request: { sales: { productId: product } },
        isOf: (lot: Lot) => lot.items.some(({ thing }) => thing.product === product),
      }
    default:
      return { request: {}, isOf: isAll }
  }
}

/** Shows, books and shows again; both reckonings say how much is changed, and whose. */
const splitAgain = async (world: Shop, deed: Extract<Deed, { type: "resplit" }>) => {
  const { all, clock, books, rules } = world
  const { request, isOf } = chosen(world, deed)
  const [one = 0, two = 0, four = 0] = deed.given ?? []
  const given: ReadonlyArray<Rule> | undefined = deed.given && [
    { id: "g/1", who: "ada", product: "p1", points: one },
    // The same group is another collaborator's here.
    { id: "g2", who: "dan", product: undefined, points: two },
    { id: "new", who: "dan", product: "p/2", points: four },
  ]
  const used = given?.filter(({ who }, place) => who !== "dan" || place === 1) ?? rules
  const asked = given === undefined ? request : { ...request, groups: used.map(groupOf) }
  const lots = books.lots.filter(isOf)
  const before = books.kept(lots)
  const preview = await all.resplits.preview(shop, asked)
  expect(preview.sales).toBe(lots.length)
  const changed = books.resplit(lots, used, clock.now)
  expect(preview.changed).toBe(changed)
  const after = books.kept(lots)
  const shown = (sums: ReadonlyMap<string, bigint>, field: "before" | "after") => {
    const keys = new Set([...before.keys(), ...after.keys()])
    const mine = [...keys].map((key) => [key, Number(sums.get(key) ?? 0n)] as const)
    const theirs = preview.totals.flatMap((row) =>
      row.collaboratorId === null
        ? []
        : [[`${row.collaboratorId} ${row.currency} ${row.month}`, row[field]] as const],
    )
    const isThere = ([, value]: readonly [string, number]) => value !== 0
    expect(theirs.filter(isThere).sort()).toEqual(mine.filter(isThere).sort())
  }
  shown(before, "before")
  shown(after, "after")
  expect(preview.totals.reduce((sum, { difference }) => sum + difference, 0)).toBe(0)
  world.count += 1
  const id = `run ${world.count}`
  await all.resplits.propose(shop, { ...asked, id })
  await all.resplits.approve(shop, id, { digest: preview.digest })
  const run = await all.resplits.book(shop, id)
  expect(run).toMatchObject({ status: "booked", adjusted: changed, leftOut: [] })
  expect(await all.resplits.book(shop, id)).toEqual(run)
  expect((await all.resplits.preview(shop, asked)).changed).toBe(0)
  if (changed > 0) reach(`re-split of ${deed.of}`)
  if (lots.some((lot) => lot.isPast && lot.adjustments > 0)) reach("re-split of the past")
  if (lots.some((lot) => lot.adjustments > 1)) reach("second re-split")
}

const happen = async (world: Shop, deed: Deed) => {
  const { all, clock, books, rules } = world
  switch (deed.type) {
    case "sale":
    case "past sale":
      return sell(world, deed)
    case "refund":
    case "past refund":
      return takeBack(world, deed)
    case "resplit":
      return splitAgain(world, deed)
    case "rule": {
      const place = deed.pick % rules.length
      const rule = rules[place]
      if (rule === undefined) return
      rules[place] = { ...rule, points: deed.points }
      const { percent } = groupOf(rules[place])
      await all.groups.update(shop, rule.who, rule.id, { percent: percent ?? "0" })
      return
    }
    case "entry": {
      world.count += 1
      const who = names[deed.pick % names.length] ?? "ada"
      const { amount: cents } = deed
      await all.entries.addIncome(shop, who, {
        id: `e${world.count}`,
        amount: cents,
        name: "Bonus",
      })
      books.enter(who, BigInt(cents), clock.now)
      return
    }
    case "close":
      await all.payouts.closeDue(shop)
      return
    case "event": {
      const lived = (await listed(world)).filter(
        ({ openedAt, paidAt }) => (paidAt ?? openedAt) >= openedAt,
      )
      const { id, total } = lived[deed.pick % Math.max(1, lived.length)] ?? {}
      if (id === undefined || total === undefined) return
      const done = {
        pay: () => all.payouts.pay(shop, id, { total }),
        "set-paid": () => all.payouts.setPaid(shop, id),
        fail: () => all.payouts.fail(shop, id, "no account"),
        retry: () => all.payouts.retry(shop, id),
      }[deed.event]()
      await done.then(
        () => reach(deed.event),
        () => reach("refused event"),
      )
    }
  }
}

/** What there is, by both reckonings. */
const compare = async (world: Shop) => {
  const { all, books, people } = world
  const payouts = await listed(world)
  const owners = new Set(
    books.movements.map(({ who, currency }) => JSON.stringify([who, currency])),
  )
  for (const owner of owners) {
    const [who, currency]: [string, string] = JSON.parse(owner)
    const own = payouts.filter((one) => one.collaboratorId === who && one.currency === currency)
    const total = own.reduce((sum, one) => sum + one.total, 0)
    expect(total).toBe(Number(books.sum(who, currency)))
    const past = own.filter(({ openedAt, paidAt }) => paidAt !== null && paidAt < openedAt)
    const paid = books.movements.filter((one) => one.who === who && one.paidAt !== undefined)
    const expected = new Map<string, bigint>()
    for (const { paidAt, at, amount: cents } of paid) {
      const key = `${books.closedAt(who, at)} ${paidAt}`
      expected.set(key, (expected.get(key) ?? 0n) + cents)
    }
    const found = past.map((one) => [`${one.closedAt} ${one.paidAt}`, one.total])
    expect(found.sort()).toEqual([...expected].map(([key, sum]) => [key, Number(sum)]).sort())
    const [balance] = (await all.balances.of(shop, who)).filter((one) => one.currency === currency)
    const isSettled = (status: string) => status === "paid" || status === "manually paid"
    const open = own.filter(({ status }) => !isSettled(status))
    expect(balance?.total).toBe(open.reduce((sum, one) => sum + one.total, 0))
  }
  for (const { id: collaboratorId } of people) {
    const { entries } = await all.sales.list(shop, { collaboratorId }, onePage)
    const ids = entries.map(({ orderId, part }) => `${orderId} ${part}`)
    const own = books.lots.filter(({ items }) =>
      items.some(({ sharers }) => sharers.has(collaboratorId)),
    )
    expect(ids.sort()).toEqual(own.map(({ orderId, part }) => `${orderId} ${part}`).sort())
  }
}

/** Statements of some time, by the movements and by when payouts were paid. */
const compareStatements = async (world: Shop, from: number, until: number) => {
  const { all, books, people } = world
  const payouts = await listed(world)
  for (const { id: who } of people) {
    const { statements } = await all.statements.of(shop, who, { from, until })
    for (const { currency, opening, closing, sales, adjustments, refunds, paid } of statements) {
      const settled = payouts.filter(
        (one) =>
          one.collaboratorId === who &&
          one.currency === currency &&
          (one.status === "paid" || one.status === "manually paid"),
      )
      const paidWithin = (first: number, end: number) =>
        settled.reduce((sum, { paidAt, total }) => {
          const isWithin = paidAt !== null && paidAt >= first && paidAt < end
          return isWithin ? sum + total : sum
        }, 0)
      const moved = (first: number, end: number, kind?: string) =>
        Number(
          books.sum(who, currency, (one) => {
            const isKind = kind === undefined || one.kind === kind
            return one.at >= first && one.at < end && isKind
          }),
        )
      expect({ opening, closing, sales, adjustments, refunds, paid }).toEqual({
        opening: moved(-Infinity, from) - paidWithin(-Infinity, from),
        closing: moved(-Infinity, until) - paidWithin(-Infinity, until),
        sales: moved(from, until, "sale"),
        adjustments: moved(from, until, "adjustment"),
        refunds: moved(from, until, "refund"),
        paid: paidWithin(from, until),
      })
    }
  }
}

/** Everything is refunded: nobody has anything of any sale, in any of their currencies. */
const refundAll = async (world: Shop) => {
  const { all, books, clock } = world
  for (const lot of books.lots) {
    for (const one of lot.items) {
      if (isGone(one)) continue
      const asked = { orderId: lot.orderId, itemId: one.thing.id, remaining: true as const }
      world.count += 1
      await all.sales.refund(shop, { ...asked, id: `r${world.count}` })
      books.refund(asked, clock.now, false)
    }
  }
  await compare(world)
  for (const { id: who, currency } of world.people) {
    expect(books.sum(who, currency, ({ kind }) => kind !== "entry")).toBe(0n)
  }
}

/** What is stored agrees with itself. */
const audit = async ({ all, books }: Shop) => {
  expect((await all.audit.payouts(shop)).differences).toEqual([])
  expect(await all.audit.sales(shop)).toEqual({
    checked: books.lots.length,
    differences: [],
    counters: [],
  })
}

test("two reckonings of any life with a past come to the same cents", async () => {
  const property = fc.asyncProperty(
    life,
    fc.array(fc.integer({ min: -450, max: 400 }), { minLength: 2, maxLength: 2 }),
    async (each, days) => {
      const world = await openShop(each)
      for (const { wait, deed: next } of each.deeds) {
        world.clock.now += wait * day
        await happen(world, next)
      }
      await compare(world)
      const [first = 0, last = 0] = [...days].sort((one, other) => one - other)
      await compareStatements(world, begin + first * day, begin + last * day + 1)
      await audit(world)
      await refundAll(world)
      await audit(world)
      await world.all.close()
    },
  )
  await fc.assert(property, runs(100))
  if (isAll) expect(kinds.filter((kind) => !reached.has(kind))).toEqual([])
}, 60_000)
