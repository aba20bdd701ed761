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

/** A table with a caption. The first column is the heading of its row. A wide one scrolls by itself. */
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
      <thead>
        <tr>
          {columns.map(({ heading, isFigure }) => (
            <th key={heading} scope="col" class={isFigure === true ? "figure" : undefined}>
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.length === 0 && (
          <tr>
            <td colSpan={columns.length}>{empty}</td>
          </tr>
        )}
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map(({ heading, cell, isFigure }, index) => {
              const style = isFigure === true ? "figure" : undefined
              return index === 0 ? (
                <th key={heading} scope="row" class={style}>
                  {cell(row)}
                </th>
              ) : (
                <td key={heading} class={style}>
                  {cell(row)}
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  </Scroll>
)
