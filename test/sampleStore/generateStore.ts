/**
 * Makes docs/sample-store/store.json: the store as it stands at the end of its year, for the HTTP API.
 * Its payouts come from running every order, refund, expense and income of the other files through the
 * library, and from what the table below says became of some payments. Run it after a change, with the
 * library built: node test/sampleStore/generateStore.ts
 */
import { writeFileSync } from "node:fs"
import { type Collaborator, type Payout, PayoutBook, Refund, RuleSet, Split } from "apportion"
import * as Wire from "apportion/wire"
import * as Result from "effect/Result"
import type * as SampleStore from "./SampleStore.js"

type Store = typeof SampleStore
type Facts = ReadonlyArray<PayoutBook.Fact>

/** The last second of 2025 in the store's time zone. */
const endOfYear = Date.parse("2025-12-31T23:59:59-05:00") / 1_000

/** Date | payout | what happened to its payment | why. The store pays Kofi by hand. */
const eventTable = `
2025-02-11 | kofi-USD-1     | set-paid |
2025-03-11 | kofi-USD-2     | set-paid |
2025-05-13 | kofi-USD-3     | set-paid |
2025-07-11 | kofi-USD-4     | set-paid |
2025-08-20 | ines-EUR-8     | fail     | the bank was closed for the feast
2025-08-27 | ines-EUR-8     | retry    |
2025-11-05 | theo-USD-7     | fail     | there is no such account
2025-11-18 | nordwind-EUR-3 | fail     | the account was closed
`

const eventOf = (name: string, reason: string) => {
  switch (name) {
    case "fail":
      return { type: name, reason } as const
    case "retry":
    case "set-paid":
      return { type: name } as const
    default:
      throw new RangeError(`there is no event ${name}`)
  }
}

const eventFacts: Facts = eventTable
  .trim()
  .split("\n")
  .map((row) => {
    const [date = "", payoutId = "", name = "", reason = ""] = row.split("|").map((c) => c.trim())
    const at = Date.parse(`${date}T15:00:00Z`) / 1_000
    return { type: "payout", at, payoutId, event: eventOf(name, reason) }
  })

/** The rate of a day: of its pair, the last one that had begun. */
const ratesOf = ({ rates, timeZone }: Store): PayoutBook.Options["rate"] => {
  const days = new Intl.DateTimeFormat("en-CA", { timeZone })
  const latestFirst = rates.toSorted((one, other) => (one.from_date < other.from_date ? 1 : -1))
  return (from, to, at) => {
    const day = days.format(at * 1_000)
    return latestFirst.find((rate) => rate.from === from && rate.to === to && rate.from_date <= day)
      ?.rate
  }
}

const refundFacts = (split: Split.Split, refunds: ReadonlyArray<Refund.Refund>): Facts =>
  refunds
    .filter(({ orderId }) => orderId === split.orderId)
    .map((refund, index, all) => {
      const earlier = all.slice(0, index)
      const reversal = Result.getOrThrow(Refund.reverse(split, refund, { earlier }))
      return { type: "refund", at: refund.refundedAt, reversal }
    })

const saleFacts = ({ groups, orders, policy, refunds }: Store): Facts => {
  const rules = RuleSet.make(groups)
  return orders.flatMap((order): Facts => {
    const split = Split.order(rules, order, policy)
    const sale = { type: "split", at: split.createdAt ?? 0, order, split } as const
    return [sale, ...refundFacts(split, refunds)]
  })
}

const entryFacts = ({ entries }: Store): Facts =>
  entries.map(({ kind, ...entry }, index) => ({ type: kind, id: `entry ${index + 1}`, ...entry }))

/** Every payout there was, as it stands at the end of the year. */
export const payoutsOf = (
  store: Store,
  happened: Facts = eventFacts,
): ReadonlyArray<Payout.Payout> => {
  const { collaborators, timeZone } = store
  const facts = [...saleFacts(store), ...entryFacts(store), ...happened]
    .filter(({ at }) => at <= endOfYear)
    .sort(PayoutBook.order)
  const empty = PayoutBook.empty({
    collaborators,
    timeZone,
    rate: ratesOf(store),
  })
  const book = facts.reduce<PayoutBook.PayoutBook>(
    (before, fact) => Result.getOrThrow(PayoutBook.record(before, fact)),
    Result.getOrThrow(empty),
  )
  return PayoutBook.payouts(Result.getOrThrow(PayoutBook.advance(book, endOfYear)))
}

const viewOf = (payout: Payout.Payout, owner: Collaborator.Collaborator): object => {
  const view = Result.getOrThrow(Wire.Payout.writeView(payout, owner))
  return { ...view, collaborator: owner.id }
}

const parsed = (store: Store, name: string): unknown => JSON.parse(store.textOf(name))

const line = (value: unknown): string => JSON.stringify(value)

/** A list with an entry a line. */
const lines = (entries: ReadonlyArray<unknown>, indent: string): string =>
  entries.length === 0
    ? "[]"
    : `[\n${entries.map((entry) => `${indent}  ${line(entry)}`).join(",\n")}\n${indent}]`

/** A payout with an item a line. */
const payoutText = (view: object): string => {
  const fields = Object.entries(view).map(([name, value]) => {
    const text = Array.isArray(value) ? lines(value, "      ") : line(value)
    return `      ${line(name)}: ${text}`
  })
  return `    {\n${fields.join(",\n")}\n    }`
}

/** The text of store.json. */
export const generateStore = (store: Store): string => {
  const owners = new Map(store.collaborators.map((owner) => [owner.id, owner]))
  const payouts = payoutsOf(store).flatMap((payout) => {
    const owner = owners.get(payout.collaboratorId)
    return owner === undefined ? [] : [payoutText(viewOf(payout, owner))]
  })
  const lists = ["collaborators", "products", "groups"].map((name) => {
    const entries = parsed(store, `${name}.json`)
    return `  ${line(name)}: ${lines(Array.isArray(entries) ? entries : [], "  ")}`
  })
  return `{\n${[...lists, `  "payouts": [\n${payouts.join(",\n")}\n  ]`].join(",\n")}\n}\n`
}

if (import.meta.main) {
  const store: Store = await import(String(new URL("SampleStore.ts", import.meta.url)))
  writeFileSync(
    new URL("../../docs/sample-store/store.json", import.meta.url),
    generateStore(store),
  )
  console.log("wrote store.json")
}
