/** A collaborator's statement: to read, to print, in their language. */
import type { JSX } from "preact"
import { linePhrase, type Standing, standingPhrases } from "../../languages/AgreementWords.js"
import {
  catalogue,
  dayText,
  moneyText,
  numberText,
  percentText,
} from "../../languages/Catalogue.js"
import type { english } from "../../languages/english.js"
import * as Language from "../../languages/Language.js"
import type { LanguageTexts } from "../../languages/LanguageTexts.js"
import { type Say, sayIn } from "../../languages/Messages.js"
import { countPeriodPhrase, termPhrases } from "../../languages/TermWords.js"
import type { SeenItemView, SeenLineView, SeenPayoutEntry } from "../../wire/Seen.js"
import { Button } from "../parts/Button.js"
import { Scroll } from "../parts/Table.js"
import { Verbatim } from "../parts/Verbatim.js"
import { Said } from "./Said.js"
import type { CurrencyFigures, SeenTerm } from "./Source.js"
import * as State from "./State.js"
import { Why } from "./Why.js"

const figureNames = [
  ...(["opening", "sales", "adjustments", "refunds", "expenses", "incomes"] as const),
  ...(["removed", "paid", "closing"] as const),
]

const texts = (): LanguageTexts => catalogue[State.language.value]

const say: Say<typeof english> = (name, ...values) =>
  sayIn<typeof english>(texts(), State.language.value)(name, ...values)

const money = (amount: number, currency: string): string =>
  moneyText(amount, currency, State.language.value)

/** An amount stands by itself: the text around it may run the other way. */
const Amount = ({
  amount,
  currency,
}: {
  readonly amount: number
  readonly currency: string
}): JSX.Element => <bdi>{money(amount, currency)}</bdi>

const Totals = ({ figures }: { readonly figures: ReadonlyArray<CurrencyFigures> }): JSX.Element => (
  <Scroll label={texts().totals}>
    <table>
      <caption>{texts().totals}</caption>
      <thead>
        <tr>
          <th scope="col">{texts().currency}</th>
          {figures.map(({ currency }) => (
            <th scope="col" class="amount">
              {currency}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {figureNames.map((name) => (
          <tr>
            <th scope="row">{texts()[name]}</th>
            {figures.map((one) => (
              <td class="amount">
                <Amount amount={one[name]} currency={one.currency} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </Scroll>
)

type OrderItem = NonNullable<SeenItemView["order_item"]>

/** What the permissions show of a sale, each with its name. */
const details = (
  item: OrderItem,
  currency: string,
): ReadonlyArray<readonly [string, JSX.Element]> => {
  const said = texts()
  const cents = (name: string, amount: number | null | undefined) =>
    amount === undefined || amount === null
      ? []
      : [[name, <Amount amount={amount} currency={currency} />] as const]
  const text = (name: string, value: string | null | undefined) =>
    value === undefined || value === null || value === ""
      ? []
      : [[name, <Verbatim text={value} />] as const]
  return [
    ...cents(said.orderAmount, item.amount),
    ...cents(said.price, item.product.price),
    ...cents(said.discount, item.discount),
    ...cents(said.tax, item.tax_total),
    ...cents(said.cost, item.product.cost),
    ...text(said.customer, item.customer_name),
    ...text(said.customer, item.customer_email),
    ...text(said.status, item.order_status),
    ...text(said.gateway, item.payment_gateway),
    ...text(said.shippingAddress, item.shipping_address),
    ...text(said.billingAddress, item.billing_address),
  ]
}

/** An entry by its name; what an agreement booked, in the page's language. */
const Entry = ({ item }: { readonly item: SeenItemView }): JSX.Element => {
  const { agreement: about } = item
  if (about === null) return <Verbatim text={item.name ?? ""} />
  const line = { kind: about.kind, event: about.event, agreement: about.agreement_id }
  return (
    <>
      <Said phrase={linePhrase(say, line, item.amount)} />
      <small>
        {about.order_id === null ? "" : <Said phrase={say("order", { id: about.order_id })} />}
        {about.event === "refund" ? ` · ${texts().takenBack}` : ""}
      </small>
    </>
  )
}

/** A table of where things stand now, with these columns before the last; nothing without rows. */
const Standings = ({
  view,
  caption,
  columns,
  rows,
}: {
  readonly view: string
  readonly caption: string
  readonly columns: ReadonlyArray<string>
  readonly rows: ReadonlyArray<JSX.Element>
}): JSX.Element | null =>
  rows.length === 0 ? null : (
    <Scroll label={caption}>
      <table data-view={view} data-phone>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {[...columns, texts().stand].map((column) => (
              <th scope="col">{column}</th>
            ))}
          </tr>
        </thead>
        <tbody>{rows}</tbody>
      </table>
    </Scroll>
  )

/** Where agreements stand now, a row for each balance. */
const Agreements = ({ of }: { readonly of: ReadonlyArray<Standing> }): JSX.Element => {
  const day = (seconds: number) => dayText(seconds, State.language.value)
  const rows = of.flatMap((one) => {
    const { name, stands } = standingPhrases(say, one, { money, day })
    return stands.map((stand) => (
      <tr>
        <th scope="row">
          <Said phrase={name} />
        </th>
        <td>
          <Said phrase={stand} />
        </td>
      </tr>
    ))
  })
  const { agreements, agreement } = texts()
  return <Standings view="agreements" caption={agreements} columns={[agreement]} rows={rows} />
}

/** Which bands are reached and what is left under caps now, a row for each group and currency. */
const Terms = ({ of }: { readonly of: ReadonlyArray<SeenTerm> }): JSX.Element => {
  const number = (count: number) => numberText(count, State.language.value)
  const percent = (text: string) => percentText(text, State.language.value)
  const rows = of.map((one) => (
    <tr>
      <th scope="row">
        <Verbatim text={one.group_id} />
      </th>
      <td>{one.currency}</td>
      <td>
        <Said phrase={countPeriodPhrase(say, one.period)} />
      </td>
      <td>
        {termPhrases(say, one, { money, number, percent }).map((phrase) => (
          <div>
            <Said phrase={phrase} />
          </div>
        ))}
      </td>
    </tr>
  ))
  const { terms, group, currency, period } = texts()
  return <Standings view="terms" caption={terms} columns={[group, currency, period]} rows={rows} />
}

const Subject = ({ item }: { readonly item: SeenItemView }): JSX.Element => {
  const { order_item: sold } = item
  if (sold === null) return <Entry item={item} />
  const { quantity } = sold
  return (
    <>
      <Verbatim text={sold.product.name || sold.item_id} />
      <small>
        <Said phrase={say("order", { id: sold.order_name ?? sold.order_id })} />
        {quantity === undefined ? (
          ""
        ) : (
          <>
            {" "}
            · <Said phrase={say("units", { count: quantity })} />
          </>
        )}
      </small>
      {details(sold, item.original_currency).map(([name, value]) => (
        <small>
          {name}: {value}
        </small>
      ))}
    </>
  )
}

const kindText = ({ kind }: SeenLineView): string =>
  kind === "returned payment" ? texts().returnedPayment : texts()[kind]

const Lines = ({ lines }: { readonly lines: ReadonlyArray<SeenLineView> }): JSX.Element => (
  <Scroll label={texts().madeOf}>
    <table data-view="lines" data-phone>
      <caption>{texts().madeOf}</caption>
      <thead>
        <tr>
          <th scope="col">{texts().date}</th>
          <th scope="col">{texts().what}</th>
          <th scope="col">{texts().item}</th>
          <th scope="col" class="amount">
            {texts().amount}
          </th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr>
            <td class="short">{dayText(line.at, State.language.value)}</td>
            <td class="short">{kindText(line)}</td>
            <td class="subject">
              {line.item === null ? "" : <Subject item={line.item} />}
              <Why line={line} />
            </td>
            <td class="amount">
              <Amount amount={line.amount} currency={line.currency} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </Scroll>
)

const statusText = (status: SeenPayoutEntry["status"]): string => {
  const { statusActive, statusPending, statusPaid, statusManuallyPaid, statusFailed } = texts()
  const known = { active: statusActive, pending: statusPending, paid: statusPaid }
  return { ...known, "manually paid": statusManuallyPaid, failed: statusFailed }[status]
}

const Payouts = ({
  payouts,
}: {
  readonly payouts: ReadonlyArray<SeenPayoutEntry>
}): JSX.Element => (
  <Scroll label={texts().payouts}>
    <table data-view="payouts" data-phone>
      <caption>{texts().payouts}</caption>
      <thead>
        <tr>
          <th scope="col">{texts().dueOn}</th>
          <th scope="col">{texts().status}</th>
          <th scope="col">{texts().paidOn}</th>
          <th scope="col" class="amount">
            {texts().total}
          </th>
        </tr>
      </thead>
      <tbody>
        {payouts.map((payout) => (
          <tr>
            <td class="short">{dayText(payout.to_be_paid_at, State.language.value)}</td>
            <td>{statusText(payout.status)}</td>
            <td>{payout.paid_at === null ? "" : dayText(payout.paid_at, State.language.value)}</td>
            <td class="amount">
              <Amount amount={payout.total} currency={payout.currency} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </Scroll>
)

const choosePeriod = (name: string): void => {
  const found = State.periods.find((one) => one === name)
  if (found === undefined) return
  State.period.value = found
  void State.load()
}

const Choices = (): JSX.Element => (
  <div class="statement-choices no-print">
    <label>
      {texts().period}{" "}
      <select
        value={State.period.value}
        onChange={({ currentTarget }) => choosePeriod(currentTarget.value)}
      >
        {State.periods.map((name) => (
          <option value={name}>{texts()[name]}</option>
        ))}
      </select>
    </label>
    <label>
      {texts().language}{" "}
      <select
        value={State.language.value}
        onChange={({ currentTarget: { value } }) => {
          if (Language.isLanguage(value)) State.language.value = value
        }}
      >
        {Language.all.map((code) => (
          <option value={code} lang={code}>
            {catalogue[code].name}
          </option>
        ))}
      </select>
    </label>
    <Button onPress={() => window.print()}>{texts().print}</Button>
  </div>
)

const Notice = (): JSX.Element => {
  const { loading, refused, failed, again } = texts()
  const state = State.progress.value
  const text = state === "refused" ? refused : state === "failed" ? failed : loading
  return (
    <main class="statement">
      <h1>{texts().title}</h1>
      <p role="status" data-view={state}>
        {text}
      </p>
      {state === "failed" ? <Button onPress={() => void State.open()}>{again}</Button> : ""}
    </main>
  )
}

/** The way to the lines that follow. */
const More = (): JSX.Element | null => {
  if (State.next.value === null) return null
  const { more, failed } = texts()
  const following = State.following.value
  return (
    <>
      {following === "failed" && <p role="status">{failed}</p>}
      <Button disabled={following === "loading"} onPress={() => void State.loadMore()}>
        {more}
      </Button>
    </>
  )
}

/** The whole page. */
export const StatementPage = (): JSX.Element => {
  const owner = State.owner.value
  if (State.progress.value !== "ready" || owner === undefined) return <Notice />
  const until = dayText(owner.expires_at, State.language.value)
  const hasLines = State.lines.value.length > 0
  return (
    <main class="statement" data-view="ready">
      <header>
        <h1>
          <Said
            phrase={say("statementOf", { name: owner.collaborator.name || owner.collaborator.id })}
          />
        </h1>
        <p>
          {texts().period}: {texts()[State.shown.value]}. {texts().daysInUtc}
        </p>
        <p class="no-print">
          <Said phrase={say("validUntil", { day: until })} />
        </p>
      </header>
      <Choices />
      <Totals figures={State.figures.value} />
      <Agreements of={State.agreements.value} />
      <Terms of={State.terms.value} />
      <Payouts payouts={State.payouts.value} />
      {/* What was opened of the lines of another period is not open here. */}
      {hasLines ? (
        <Lines key={State.shown.value} lines={State.lines.value} />
      ) : (
        <p>{texts().nothing}</p>
      )}
      <More />
    </main>
  )
}
