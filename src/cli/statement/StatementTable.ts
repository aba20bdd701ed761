/** A statement as tables, for the terminal. */

import { inEnglish } from "../../documents/DocumentWords.js"
import { calendarDay } from "../../documents/Figure.js"
import { plain } from "../../languages/Messages.js"
import { oneLine } from "../../orders/Words.js"
import type { PayoutItem } from "../../payouts/PayoutItem.js"
import * as Table from "../output/Table.js"
import type { Section, Statement } from "./Statement.js"
import type { StatementPeriod } from "./StatementAccount.js"
import { periodOf, type StatementPayout, type Sum, standing, sums } from "./StatementAccount.js"
import * as StatementBalances from "./StatementBalances.js"

const itemColumns: ReadonlyArray<Table.TableColumn> = [
  { title: "date" },
  { title: "order" },
  { title: "what" },
  { title: "group" },
  { title: "original", isNumber: true },
  { title: "rate", isNumber: true },
  { title: "amount", isNumber: true },
]

const itemRow = (item: PayoutItem, currency: string, timeZone: string): Table.Cells => {
  const date = calendarDay(item.createdAt, timeZone)
  const amount = Table.figure(item.amount, currency)
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

function* payoutRows(
  payout: StatementPayout,
  { timeZone, from }: StatementPeriod,
): Generator<Table.Cells> {
  const { currency, broughtForward, total } = payout
  if (broughtForward !== undefined && from !== undefined) {
    const amount = Table.figure(broughtForward, currency)
    yield [calendarDay(from, timeZone), "", "brought forward", "", "", "", amount]
  }
  for (const items of payout.ofPeriod()) {
    for (const item of items) yield itemRow(item, currency, timeZone)
  }
  yield ["", "", "total", "", "", "", Table.figure(total, currency)]
}

function* payoutTexts(payout: StatementPayout, period: StatementPeriod): Generator<string> {
  const said = oneLine(plain(standing(payout, period.timeZone, inEnglish)))
  yield `  Payout ${oneLine(payout.id)}, ${payout.currency}, ${said}\n`
  const rows = { [Symbol.iterator]: () => payoutRows(payout, period) }
  for (const line of Table.lines(itemColumns, rows)) yield `    ${line}`
}

const payoutColumns: ReadonlyArray<Table.TableColumn> = [
  { title: "payout" },
  { title: "currency" },
  { title: "state" },
  { title: "total", isNumber: true },
]

/** The sums of several payouts, before each of them. */
function* listTexts(payouts: ReadonlyArray<StatementPayout>, timeZone: string): Generator<string> {
  const rows = payouts.map((payout) => {
    const { id, currency, total } = payout
    return [
      id,
      currency,
      plain(standing(payout, timeZone, inEnglish)),
      Table.figure(total, currency),
    ]
  })
  for (const line of Table.lines(payoutColumns, rows)) yield `  ${line}`
  yield "\n"
}

function* sectionTexts(
  { collaborator, payouts }: Section,
  period: StatementPeriod,
): Generator<string> {
  const { id, account } = collaborator
  const name = account.name === id ? id : `${account.name} (${id})`
  yield `${oneLine(name)}\n`
  if (payouts.length === 0) yield "  no payouts\n"
  if (payouts.length > 1) yield* listTexts(payouts, period.timeZone)
  for (const [index, payout] of payouts.entries()) {
    if (index > 0) yield "\n"
    yield* payoutTexts(payout, period)
  }
  yield "\n"
}

const summaryColumns = ({ from }: StatementPeriod): ReadonlyArray<Table.TableColumn> => [
  { title: "collaborator" },
  { title: "currency" },
  { title: "payouts", isNumber: true },
  ...(from === undefined
    ? []
    : [
        { title: "brought forward", isNumber: true },
        { title: "earned", isNumber: true },
      ]),
  { title: "paid", isNumber: true },
  { title: "to come", isNumber: true },
  ...(from === undefined ? [{ title: "total", isNumber: true }] : []),
]

const summaryRow = (who: string, sum: Sum, { from }: StatementPeriod): Table.Cells => {
  const figure = (amount: bigint) => Table.figure(amount, sum.currency)
  const { currency, payouts, opening, earned, paid, owed } = sum
  return [
    who,
    currency,
    String(payouts),
    ...(from === undefined ? [] : [figure(opening), figure(earned)]),
    figure(paid),
    figure(owed),
    ...(from === undefined ? [figure(paid + owed)] : []),
  ]
}

/** The sums of each collaborator, and the sums of all by currency. */
export function* totals({ sections, period }: Statement): Generator<string> {
  const rows = sections.flatMap(({ collaborator, payouts }) =>
    sums(payouts).map((sum) => summaryRow(collaborator.id, sum, period)),
  )
  const everyone = sums(sections.flatMap(({ payouts }) => payouts))
  if (sections.length > 1)
    rows.push(...everyone.map((sum) => summaryRow("all together", sum, period)))
  yield `Totals ${plain(periodOf(period, inEnglish))}\n`
  yield* Table.lines(summaryColumns(period), rows)
  yield "\n"
}

/** Each collaborator's payouts with their items, and the totals at the end. */
export function* texts(statement: Statement): Generator<string> {
  const { sections, period } = statement
  for (const section of sections) yield* sectionTexts(section, period)
  if (statement.balances !== undefined) yield* StatementBalances.texts(statement.balances)
  yield* totals(statement)
}
