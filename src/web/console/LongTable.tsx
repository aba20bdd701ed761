/** A table of as many entries as there are: the rows that are not seen are not in the page. */
import type { ComponentChildren } from "preact"
import { useEffect, useId, useRef, useState } from "preact/hooks"
import { Cells, type Column, Head, Table } from "../parts/Table.js"
import type { List } from "./Pages.js"

/** The height of a row, in pixels: as `--row` of the style. */
const rowHeight = 44

/** How many rows above and below what is seen are in the page. */
const margin = 12

interface Seen {
  readonly first: number
  readonly last: number
}

const seenOf = (region: HTMLElement, total: number): Seen => ({
  first: Math.max(0, Math.floor(region.scrollTop / rowHeight) - margin),
  last: Math.min(
    total - 1,
    Math.ceil((region.scrollTop + region.clientHeight) / rowHeight) + margin,
  ),
})

const Gap = ({ rows, columns }: { rows: number; columns: number }) =>
  rows <= 0 ? null : (
    <tr class="gap">
      <td colSpan={columns} style={{ height: `${rows * rowHeight}px` }} />
    </tr>
  )

const LongRows = <T,>(given: {
  columns: ReadonlyArray<Column<T>>
  list: List<T>
  total: number
  seen: Seen
}) => {
  const { columns, list, total, seen } = given
  const last = Math.min(seen.last, total - 1)
  const indices = Array.from(
    { length: Math.max(0, last - seen.first + 1) },
    (_, i) => seen.first + i,
  )
  return (
    <tbody>
      <Gap rows={seen.first} columns={columns.length} />
      {indices.map((index) => {
        const entry = list.at(index)
        return (
          <tr key={index} aria-rowindex={index + 2}>
            {entry === undefined ? (
              <td colSpan={columns.length} class="faint">
                Loading…
              </td>
            ) : (
              <Cells columns={columns} row={entry} />
            )}
          </tr>
        )
      })}
      <Gap rows={total - 1 - last} columns={columns.length} />
    </tbody>
  )
}

/** The table; the page of the API that a row is on is asked for when the row is looked at. */
export const LongTable = <T,>(given: {
  caption: string
  columns: ReadonlyArray<Column<T>>
  list: List<T>
  empty: ComponentChildren
}) => {
  const { caption, columns, list, empty } = given
  const id = useId()
  const region = useRef<HTMLElement>(null)
  const [seen, setSeen] = useState<Seen>({ first: 0, last: 3 * margin })
  const { total } = list
  const look = () => {
    if (region.current === null || total === undefined) return
    const next = seenOf(region.current, total)
    list.look(next.first, next.last)
    if (next.first !== seen.first || next.last !== seen.last) setSeen(next)
  }
  useEffect(() => {
    if (region.current !== null) region.current.scrollTop = 0
    const first = { first: 0, last: Math.min(total ?? 0, 3 * margin) }
    setSeen(first)
    if (total !== undefined && total > 0) list.look(first.first, first.last)
  }, [total])
  useEffect(() => {
    // What scrolls has to be a stop of the keyboard.
    if (region.current !== null) region.current.tabIndex = 0
  })
  if (list.failure !== undefined && total === undefined) return null
  if (total === undefined) return <p class="faint">Loading…</p>
  if (total === 0) return <p class="faint">{empty}</p>
  return (
    <section ref={region} class="table-scroll long" aria-labelledby={id} onScroll={look}>
      <table class="table" aria-rowcount={total + 1}>
        <caption id={id} class="spoken">
          {caption}
        </caption>
        <Head columns={columns} />
        <LongRows columns={columns} list={list} total={total} seen={seen} />
      </table>
    </section>
  )
}

/** So many rows are in the page without its becoming slow. */
const mostWhole = 100

/** A table of entries that are all here. When they are many, only those that are seen are in the page. */
export const WholeTable = <T,>(given: {
  caption: string
  columns: ReadonlyArray<Column<T>>
  rows: ReadonlyArray<T>
  keyOf: (row: T) => string
  empty?: ComponentChildren
}) => {
  const { caption, columns, rows, empty = "Nothing here yet." } = given
  if (rows.length <= mostWhole) return <Table {...given} />
  const list: List<T> = {
    total: rows.length,
    failure: undefined,
    at: (index) => rows[index],
    look: () => {},
  }
  return <LongTable caption={caption} columns={columns} list={list} empty={empty} />
}
