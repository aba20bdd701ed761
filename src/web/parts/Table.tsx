/** Tables of few rows. Long lists are a `VirtualList`. */
import type { ComponentChildren, JSX } from "preact"
import { useEffect, useRef } from "preact/hooks"

/** A column: its heading and what it shows of a row. */
export interface Column<Row> {
  readonly heading: string
  readonly cell: (row: Row) => ComponentChildren
  /** Figures stand under one another at the end of the column. */
  readonly isFigure?: boolean | undefined
}

/** What is wider than its place scrolls by itself, by the keyboard too. */
export const Scroll = ({
  label,
  children,
}: {
  readonly label: string
  readonly children: ComponentChildren
}): JSX.Element => {
  const box = useRef<HTMLElement>(null)
  useEffect(() => {
    const element = box.current
    if (element === null) return
    const observer = new ResizeObserver(() => {
      const isWide = element.scrollWidth > element.clientWidth
      if (isWide) element.tabIndex = 0
      else element.removeAttribute("tabindex")
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return (
    <section ref={box} class="table-scroll" aria-label={label}>
      {children}
    </section>
  )
}

const styleOf = (isFigure: boolean | undefined): string | undefined =>
  isFigure === true ? "figure" : undefined

/** The headings of columns. */
export const Head = <Row,>({
  columns,
}: {
  readonly columns: ReadonlyArray<Column<Row>>
}): JSX.Element => (
  <thead>
    <tr>
      {columns.map(({ heading, isFigure }) => (
        <th key={heading} scope="col" class={styleOf(isFigure)}>
          {heading}
        </th>
      ))}
    </tr>
  </thead>
)

/** The cells of a row, of which the first is its heading. */
export const Cells = <Row,>({
  columns,
  row,
}: {
  readonly columns: ReadonlyArray<Column<Row>>
  readonly row: Row
}): JSX.Element => (
  <>
    {columns.map(({ heading, cell, isFigure }, index) =>
      index === 0 ? (
        <th key={heading} scope="row" class={styleOf(isFigure)}>
          {cell(row)}
        </th>
      ) : (
        <td key={heading} class={styleOf(isFigure)}>
          {cell(row)}
        </td>
      ),
    )}
  </>
)

/** A table with a caption. A wide one scrolls by itself. */
export const Table = <Row,>({
  caption,
  columns,
  rows,
  keyOf,
  empty = "Nothing here yet.",
}: {
  readonly caption: string
  readonly columns: ReadonlyArray<Column<Row>>
  readonly rows: ReadonlyArray<Row>
  readonly keyOf: (row: Row) => string
  readonly empty?: ComponentChildren
}): JSX.Element => (
  <Scroll label={caption}>
    <table class="table">
      <caption>{caption}</caption>
      <Head columns={columns} />
      <tbody>
        {rows.length === 0 && (
          <tr>
            <td colSpan={columns.length}>{empty}</td>
          </tr>
        )}
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            <Cells columns={columns} row={row} />
          </tr>
        ))}
      </tbody>
    </table>
  </Scroll>
)
