/** A statement as tables, for the terminal. */
import type { Payout } from "../payouts/Payout.js"
import type { PayoutItem } from "../payouts/PayoutItem.js"
import * as Days from "./Days.js"
import * as PayoutTotal from "./PayoutTotal.js"
import { oneLine } from "./Printable.js"
import type { Section, Statement } from "./Statement.js"
import * as Table from "./Table.js"

const itemColumns: ReadonlyArray<Table.Column> = [
  { title: "date" },
  { title: "order" },
  { title: "what" },
  { title: "group" },
  { title: "original", isNumber: true },
  { title: "rate", isNumber: true },
  { title: "amount", isNumber: true },
]

const itemRow = (payout: Payout, item: PayoutItem, timeZone: string): ReadonlyArray<string> => {
  const date = Days.show(item.createdAt, timeZone)
  const amount = Table.figure(item.amount, payout.currency)
  if ("name" in item) {
    return [date, item.kind, item.name, "", "", "", amount]
  }
  const { orderItem, originalCurrency, originalAmount, currencyExchangeRate } = item
  const isConverted = currencyExchangeRate !== null
  const refund = item.kind === "refund" ? "refund: " : ""
  const isReduced = orderItem.refundedAt !== null && item.kind === "sale"
  const reduced = originalAmount === 0 ? " (refunded)" : " (partly refunded)"
  return [
    date,
    orderItem.orderId,
    `${refund}${orderItem.product.name || orderItem.itemId}${isReduced ? reduced : ""}`,
    orderItem.groupId,
    isConverted ? Table.money(originalAmount, originalCurrency) : "",
    currencyExchangeRate ?? "",
    amount,
  ]
}

const payoutText = (payout: Payout, timeZone: string): string => {
  const total = ["", "", "total", "", "", "", Table.figure(PayoutTotal.of(payout), payout.currency)]
  const rows = payout.items.map((item) => itemRow(payout, item, timeZone))
  const standing = oneLine(PayoutTotal.standing(payout, timeZone))
  const title = `  Payout ${oneLine(payout.id)}, ${payout.currency}, ${standing}`
  const lines = Table.table(itemColumns, [...rows, total])
    .trimEnd()
    .split("\n")
  return `${[title, ...lines.map((line) => `    ${line}`)].join("\n")}\n`
}

function* sectionTexts({ collaborator, payouts }: Section, timeZone: string): Generator<string> {
  const { id, account } = collaborator
  const name = account.name === id ? id : `${account.name} (${id})`
  yield `${oneLine(name)}\n`
  if (payouts.length === 0) yield "  no payouts\n"
  for (const [index, payout] of payouts.entries()) {
    yield `${index === 0 ? "" : "\n"}${payoutText(payout, timeZone)}`
  }
  yield "\n"
}

const summaryColumns: ReadonlyArray<Table.Column> = [
  { title: "collaborator" },
  { title: "currency" },
  { title: "payouts", isNumber: true },
  { title: "paid", isNumber: true },
  { title: "to come", isNumber: true },
  { title: "total", isNumber: true },
]

const summaryRows = ({ collaborator, payouts }: Section): ReadonlyArray<ReadonlyArray<string>> =>
  PayoutTotal.sums(payouts).map(({ currency, paid, owed }) => [
    collaborator.id,
    currency,
    String(payouts.filter((payout) => payout.currency === currency).length),
    Table.figure(paid, currency),
    Table.figure(owed, currency),
    Table.figure(paid + owed, currency),
  ])

/** Each collaborator's payouts with their items, and the totals at the end; a payout at a time. */
export function* texts({ sections, timeZone, until }: Statement): Generator<string> {
  const day = Days.show(until - 1, timeZone)
  for (const section of sections) yield* sectionTexts(section, timeZone)
  const summary = Table.table(summaryColumns, sections.flatMap(summaryRows))
  yield `Totals up to ${day} (${timeZone})\n${summary}\n`
}
