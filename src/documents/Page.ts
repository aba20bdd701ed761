/** Parts that the pages of statements share: their head and style, the issuer, and the subject of a line. */
import { linePhrase } from "../languages/AgreementWords.js"
import { directionOf } from "../languages/Language.js"
import { plain } from "../languages/Messages.js"
import type { SeenItem } from "../payouts/Visibility.js"
import { type DocumentWords, inEnglish, isolated, phrased } from "./DocumentWords.js"
import { Html, html } from "./Html.js"

/** The number of a printed page, as the style writes it. */
const pageNumber = ({ say }: DocumentWords): string =>
  say("pageOf", { page: "page", pages: "pages" })
    .map(({ text, isFilledIn }) => (isFilledIn ? `counter(${text})` : JSON.stringify(text)))
    .join(" ")

const style = (words: DocumentWords) =>
  new Html(`
  :root { color-scheme: light; }
  * { box-sizing: border-box; }
  body { font: 15px/1.45 system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; color: #1b1f24; background: #f3f4f6; margin: 0; padding: 2rem 1rem; }
  article { background: #fff; max-width: 60rem; margin: 0 auto 2rem; padding: 2.5rem; border-radius: 6px; box-shadow: 0 1px 3px rgb(0 0 0 / 15%); }
  header { border-bottom: 2px solid #1b1f24; padding-bottom: 1rem; margin-bottom: 1.5rem; display: flex; flex-wrap: wrap; gap: 1rem 2rem; justify-content: space-between; }
  address { font-style: normal; color: #4b5563; text-align: end; margin-inline-start: auto; }
  address strong { color: #1b1f24; }
  h1 { font-size: 1.6rem; margin: 0; }
  h2 { font-size: 1.05rem; margin: 2rem 0 .25rem; }
  h1, h2, p, address, td, th { overflow-wrap: anywhere; }
  p { margin: .25rem 0; color: #4b5563; }
  .wide { overflow-x: auto; }
  table { border-collapse: collapse; width: 100%; margin-top: .5rem; font-variant-numeric: tabular-nums; }
  caption { text-align: start; font-size: .8rem; color: #4b5563; padding-bottom: .25rem; }
  th { text-align: start; font-size: .8rem; font-weight: 600; color: #4b5563; border-bottom: 1px solid #9ca3af; }
  th, td { padding-block: .3rem; padding-inline: 0 .6rem; vertical-align: top; }
  th:last-child, td:last-child { padding-inline-end: 0; }
  tbody tr + tr > * { border-top: 1px solid #e5e7eb; }
  tbody th { font-size: inherit; font-weight: inherit; color: inherit; border-bottom: none; }
  tfoot > tr > * { border: none; border-top: 1px solid #1b1f24; font-size: inherit; font-weight: 600; color: inherit; }
  .number { text-align: end; white-space: nowrap; overflow-wrap: normal; }
  thead .number { white-space: normal; }
  .day { white-space: nowrap; }
  .text { min-width: 8rem; }
  .wide + .wide { margin-top: 1.25rem; }
  @media (max-width: 40rem) { body { padding: 0; } article { padding: 1rem; border-radius: 0; } }
  small { color: #4b5563; display: block; }
  @page { margin: 18mm 15mm; @bottom-right { content: ${pageNumber(words)}; font: 8pt system-ui, sans-serif; color: #4b5563; } }
  @media print {
    body { background: #fff; padding: 0; font-size: 10pt; }
    article { box-shadow: none; border-radius: 0; max-width: none; margin: 0; padding: 0; }
    article + article { break-before: page; }
    h2, header, caption { break-after: avoid; }
    tr { break-inside: avoid; }
    thead { display: table-header-group; }
    tfoot { display: table-row-group; break-before: avoid; }
    .wide { overflow: visible; }
  }
`)

/** English pages say nothing of their direction: it is the usual one. */
const direction = ({ language }: DocumentWords): Html =>
  directionOf(language) === "rtl" ? html` dir="rtl"` : html``

/** The head of a page, and the beginning of its body. */
export const head = (title: string, words: DocumentWords = inEnglish): Html => html`<!doctype html>
<html lang="${words.language}"${direction(words)}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>
<style>${style(words)}</style>
</head>
<body>`

/** The issuer of the statement: the first line is the name. */
export const issuerAddress = ([name, ...lines]: ReadonlyArray<string>): Html =>
  name === undefined
    ? html``
    : html`<address><strong>${name}</strong>${lines.map((line) => html`<br>${line}`)}</address>`

/** The subject of a line. */
export const what = (item: SeenItem, words: DocumentWords = inEnglish): Html => {
  const { say } = words
  if ("name" in item && item.agreement !== undefined) {
    const { agreementId: agreement, orderId, kind, event } = item.agreement
    const line = linePhrase(say, { kind, event, agreement }, item.amount)
    const order = orderId === null ? html`` : phrased(say("order", { id: orderId }), words)
    const back = event === "refund" ? html` · ${plain(say("takenBack"))}` : html``
    return html`${phrased(line, words)}<small>${order}${back}</small>`
  }
  if ("name" in item) {
    return html`${item.name}<small>${plain(say(item.kind === "expense" ? "expense" : "income"))}</small>`
  }
  const { product, orderId, itemId, quantity, refundedAt, details } = item.orderItem
  const order = phrased(say("order", { id: details?.orderName ?? orderId }), words)
  const units =
    quantity === undefined ? html`` : html` · ${phrased(say("units", { count: quantity }), words)}`
  const isPart = item.kind === "sale" && item.originalAmount !== 0
  const refund =
    refundedAt === null ? html`` : html` · ${plain(say(isPart ? "partlyRefunded" : "refunded"))}`
  return html`${isolated(product.name || itemId, words)}<small>${order}${units}${refund}</small>`
}
