/** All that an account can hold, with a text in every place where texts can be; and all that can be read. */
import { type Order, type PayoutItem, type Product, type ProductGroup, RuleSet } from "apportion"
import { type ProductStore, productKeyOf, type StorageService, type Stores } from "apportion/ports"
import { Effect } from "effect"
import { inWords } from "../../../src/testing/contracts/ContractContext.js"
import * as samples from "../../../src/testing/contracts/samples.js"
import { at } from "../faults/HastyClock.js"

type Link = ProductGroup.Link

/** What is planted: short texts as ids, any as the rest. */
export interface Planted {
  readonly id: string
  readonly text: string
}

/** What is no free text: codes, amounts and numbers in texts, and the names of kinds. */
const kept: ReadonlySet<string> = new Set([
  ...["currency", "originalCurrency", "rate", "currencyExchangeRate", "percent", "shippingPercent"],
  ...["type", "modifier", "kind", "status", "payoutMeasurement", "policy", "exact", "unit", "step"],
])

const ids = /(?:^id|^by|Id|Key|after)$/

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

/** The same with another text in the place of each. */
const planted = <A>(value: A, { id, text }: Planted, name = ""): A => {
  const put = (inner: unknown, key: string): unknown => {
    if (kept.has(key)) return inner
    if (typeof inner === "string") return ids.test(key) ? id : text
    if (Array.isArray(inner)) return inner.map((entry) => put(entry, key))
    if (!isObject(inner)) return inner
    // The details of an order have nothing but free texts, their status too.
    const nameOf = (field: string) => (key === "details" ? "text" : field)
    return Object.fromEntries(
      Object.entries(inner).map(([field, each]) => [field, put(each, nameOf(field))]),
    )
  }
  return put(value, name) as A
}

const productOf = (given: Planted): Product.Product =>
  planted(samples.product("p1", { externalVariantId: "v1", sku: "s" }), given)

const saleOf = (given: Planted) => {
  const sale = samples.sale("o1", { itemIds: ["1"] })
  const details: Order.OrderDetails = {
    ...{ customerEmail: "a", customerName: "a", status: "a", paymentGateway: "a" },
    ...{ shippingAddress: "a", billingAddress: "a", orderName: "a" },
  }
  const texts = {
    customerTags: ["a"],
    discountCodes: ["a", "b"],
    referers: ["a"],
    billingCountry: "a",
  }
  const items = sale.order.items.map((item) => ({ ...item, taxName: "a" }))
  return planted({ ...sale, order: { ...sale.order, ...texts, items, details } }, given)
}

const itemsOf = (given: Planted): ReadonlyArray<PayoutItem.PayoutItem> => {
  const sold = samples.soldItem("i1")
  const details = { customerName: "a", status: "a", paymentGateway: "a", customerEmail: "a" }
  const orderItem = { ...sold.orderItem, details }
  return [
    { ...planted({ ...sold, orderItem }, given), id: given.id },
    { ...planted(samples.income("i2"), given), id: `${given.id}2` },
  ]
}

const groupOf = (given: Planted) =>
  planted(samples.group("g1", { condition: { type: "referer", values: ["a", "b"] } }), given)

/** Stores all that can be stored. */
export const plant = (storage: StorageService, account: string, given: Planted) =>
  storage
    .transaction(account, (stores) => plantAll(stores, given), { actor: given.text })
    .pipe(at(1_700_000_000))

const plantAll = (stores: Stores, given: Planted) =>
  Effect.gen(function* () {
    const { collaborators, groups, products, links, payouts, payments, sales, keys } = stores
    const { id, text } = given
    yield* collaborators.insert(
      planted(
        samples.collaborator("ada", { notes: "a", account: { name: "a", paypalEmail: "a" } }),
        given,
      ),
    )
    const first = yield* groups.insert(groupOf(given))
    yield* groups.update({ ...first, updatedAt: 5 })
    const product = productOf(given)
    yield* products.put([samples.product("other"), { id: "bare" }])
    yield* products.put([product, { ...product, id: `${id}2`, name: "else" }])
    yield* links.add(id, [productKeyOf(product), productKeyOf({ id }), text.slice(0, 200)])
    yield* links.setOfProduct("other", [id, `${id}2`])
    yield* links.saveJob(
      planted(samples.job("g1", { after: "a", claim: { by: "a", until: 9 } }), given),
    )
    const [first_, second] = itemsOf(given)
    const failed = { status: "failed", collaboratorId: id, failureReason: text } as const
    const payout = yield* payouts.insert({
      payout: { ...samples.payout(id, failed), itemsCount: 1 },
      put: first_ === undefined ? [] : [first_],
    })
    yield* payouts.update({
      payout: { ...payout, itemsCount: 1, total: 5 },
      put: second === undefined ? [] : [second],
      remove: [id, text.slice(0, 200)],
    })
    yield* payouts.insert({ payout: samples.active(`${id}2`, { collaboratorId: id }) })
    const owned = { collaboratorId: id, payoutId: id }
    const contradiction = { at: 5, event: "confirm", message: text } as const
    const texts = { rail: text, currency: id, reference: text, reason: text, contradiction }
    const paid = yield* payments.insert(samples.payment(id, { ...owned, ...texts }))
    const sent = { status: "sent", sentAt: 5, reference: text, reason: text } as const
    yield* payments.update({ ...paid, ...sent })
    const sale = saleOf(given)
    const { part, postings } = yield* sales.insert(sale)
    const refund = planted(samples.refund("r1", samples.sale("o1", { itemIds: ["1"] })), given)
    yield* sales.addRefund({ orderId: id, part, version: 1, refund, postings })
    const items = postings.map(({ payoutItemId }) => ({ orderId: id, payoutItemId }))
    yield* sales.move({ fromPayoutId: id, toPayoutId: id, items })
    yield* keys.insert({ key: id, fingerprint: text, answer: text, createdAt: 7 })
  })

const slice = { offset: 0, limit: 100 }

const byText = <A>(all: ReadonlyArray<A>): ReadonlyArray<A> =>
  all.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))

const unordered = <A, E>(found: Effect.Effect<ReadonlyArray<A>, E>) => Effect.map(found, byText)

/** What a link selects: as the store knows it, else as the rules do. */
const selectedBy = (products: ProductStore, link: Link) =>
  products.selected?.({ link, after: undefined, limit: 100 }) ??
  Effect.map(products.batch({ after: undefined, limit: 100 }), (all) => {
    const groups = [{ ...samples.group("g1").group, link }]
    const selected = all.filter((product) => RuleSet.linkedGroups({ groups }, product).length > 0)
    return { keys: selected.map(productKeyOf), scanned: all.length, isLast: true }
  })

/** Reads all that there is, by lists and by the texts that were planted. */
export const readAll = (storage: StorageService, account: string, { id, text }: Planted) =>
  storage.transaction(
    account,
    ({ collaborators, groups, products, links, payouts, payments, sales, keys }) => {
      const key = productKeyOf({ id, externalVariantId: id })
      const select = (type: Exclude<Link["type"], "products.all">, modifier: Link["modifier"]) =>
        selectedBy(products, { type, modifier, values: [text, id, "art"] })
      return Effect.all({
        people: collaborators.list(slice),
        person: collaborators.get(id),
        known: unordered(collaborators.find([id, text.slice(0, 500), "ada"])),
        groups: groups.list(id, slice),
        group: groups.get(id),
        found: unordered(groups.find([id, "g1"])),
        all: unordered(groups.all),
        catalogue: products.list({}, slice),
        byText: products.list({ search: text }, slice),
        byPart: products.list({ search: ` ${text.slice(0, 3).toUpperCase()}` }, slice),
        byEnd: products.list({ search: text.slice(-1) }, slice),
        byTwo: products.list({ search: `${text}${text}` }, slice),
        ofPerson: products.list({ search: text, collaboratorId: id }, slice),
        byIds: unordered(products.find([id, text.slice(0, 500)])),
        byKeys: unordered(products.get([key, id])),
        after: products.batch({ after: key, limit: 10 }),
        selected: Effect.all([select("products", "WITH"), select("products.tag", "WITH")]),
        others: Effect.all([select("products.vendor", "NOT"), select("products.tag", "NOT")]),
        linked: links.products(id, slice),
        counts: links.counts([id, `${id}2`]),
        groupsOf: Effect.map(links.groupsOf([key, "other"]), (all) => all.map(byText)),
        job: links.job(id),
        jobs: links.runningJobs(10),
        payouts: payouts.list({}, slice),
        ofOwner: payouts.list({ collaboratorId: id, status: "failed" }, slice),
        ofNobody: payouts.list({ collaboratorId: `${id}3` }, slice),
        payout: payouts.get(id),
        active: payouts.active({ collaboratorId: id, currency: "USD" }),
        opened: payouts.firstOpenedAt({ collaboratorId: id, currency: "USD" }),
        items: payouts.items(id),
        some: payouts.someItems(id, { offset: 0, limit: 1 }),
        item: payouts.item(id, `${id}2`),
        next: payouts.batch({ after: id, limit: 10 }),
        entries: payouts.entries({ collaboratorId: id, itemId: `${id}2` }),
        below: payouts.belowZero({ after: id, limit: 10 }),
        compared: payouts.comparedItems(id),
        histories: payouts.historyIds({ after: id, limit: 10 }),
        history: payouts.history({ payoutId: id, after: 0, limit: 10 }),
        payment: payments.get(id),
        ofPayout: payments.ofPayout(id),
        claims: payments.list({ status: "sent", after: { claimedAt: 0, id }, limit: 10 }),
        stuck: payments.stuck({ sentBefore: 9, limit: 10 }),
        parts: sales.ofOrder(id),
        refund: sales.refund(id),
        ledger: sales.list({}, slice),
        theirs: sales.list({ collaboratorId: id }, slice),
        sums: Effect.map(sales.sold([0, Number.MAX_SAFE_INTEGER]), inWords),
        sold: sales.list({ productId: id, recorded: { from: 0 } }, slice),
        answer: keys.get(id),
      })
    },
    { mode: "read" },
  )
