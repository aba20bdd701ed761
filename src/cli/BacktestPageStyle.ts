/** How the page of a backtest looks: on a light and on a dark screen, and printed. */
import { Html } from "./Html.js"

/** Before is an outline and after is filled, so that they are told apart without colours. */
export const style = new Html(`
  :root { color-scheme: light dark; --text: #1b1f24; --quiet: #4b5563; --page: #f3f4f6; --sheet: #fff; --line: #d1d5db; --before: #6b7280; --after: #1d4ed8; --more: #15803d; --less: #b91c1c; }
  @media screen and (prefers-color-scheme: dark) {
    :root { --text: #e5e7eb; --quiet: #a3adba; --page: #0f1318; --sheet: #1a2027; --line: #3b4551; --before: #a3adba; --after: #7aa2ff; --more: #4ade80; --less: #f87171; }
  }
  * { box-sizing: border-box; }
  body { font: 15px/1.45 system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; color: var(--text); background: var(--page); margin: 0; padding: 2rem 1rem; }
  main { background: var(--sheet); max-width: 76rem; margin: 0 auto; padding: 2.5rem; border-radius: 6px; box-shadow: 0 1px 3px rgb(0 0 0 / 15%); }
  header { border-bottom: 2px solid var(--text); padding-bottom: 1rem; }
  h1 { font-size: 1.6rem; margin: 0 0 .5rem; }
  h2 { font-size: 1.3rem; margin: 2.5rem 0 .25rem; border-bottom: 1px solid var(--line); }
  h3 { font-size: 1.05rem; margin: 2rem 0 .25rem; }
  h4 { font-size: .9rem; margin: .75rem 0 0; color: var(--quiet); }
  h1, h2, h3, li, p, td, th { overflow-wrap: anywhere; }
  p, ul { margin: .25rem 0; }
  dl { margin: 0; display: grid; grid-template-columns: max-content 1fr; gap: 0 1rem; }
  dt { color: var(--quiet); }
  dd { margin: 0; }
  .wide { overflow-x: auto; }
  .beside { display: flex; flex-wrap: wrap; gap: 0 2.5rem; align-items: flex-start; }
  .beside > .wide { flex: 1 1 20rem; }
  table { border-collapse: collapse; width: 100%; margin-top: .5rem; font-variant-numeric: tabular-nums; }
  caption { text-align: left; font-size: .8rem; color: var(--quiet); padding-bottom: .25rem; }
  th { text-align: left; font-size: .8rem; font-weight: 600; color: var(--quiet); border-bottom: 1px solid var(--line); }
  th, td { padding: .25rem .6rem .25rem 0; vertical-align: top; }
  th:last-child, td:last-child { padding-right: 0; }
  tbody th { font-size: inherit; font-weight: inherit; color: inherit; border-bottom: none; }
  tbody tr + tr > * { border-top: 1px solid var(--line); }
  tfoot > tr > * { border: none; border-top: 1px solid var(--text); font-size: inherit; font-weight: 600; color: inherit; }
  .number { text-align: right; white-space: nowrap; overflow-wrap: normal; }
  .legend { display: flex; flex-wrap: wrap; gap: 0 1.5rem; list-style: none; padding: 0; color: var(--quiet); font-size: .85rem; }
  .legend svg { vertical-align: -2px; }
  svg { max-width: 100%; height: auto; }
  svg text { font-size: 11px; fill: var(--quiet); font-variant-numeric: tabular-nums; }
  rect.before { fill: var(--sheet); stroke: var(--before); stroke-width: 1.5; }
  rect.after { fill: var(--after); }
  rect.more { fill: var(--more); }
  rect.less { fill: var(--less); }
  line.line { stroke: var(--line); stroke-dasharray: 2 3; }
  line.zero { stroke: var(--quiet); }
  pre { font: 12.5px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; white-space: pre-wrap; overflow-wrap: anywhere; margin: .25rem 0; }
  @page { margin: 18mm 15mm; }
  @media print {
    body { background: #fff; padding: 0; font-size: 10pt; }
    main { box-shadow: none; border-radius: 0; max-width: none; padding: 0; }
    h2, h3, h4, header { break-after: avoid; }
    tr, svg { break-inside: avoid; }
    thead { display: table-header-group; }
    tfoot { display: table-row-group; break-before: avoid; }
    .wide { overflow: visible; }
  }
`)
