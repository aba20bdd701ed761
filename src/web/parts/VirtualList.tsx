/** Lists of any length: only the rows that are seen are in the page. */
import type { ComponentChildren, JSX } from "preact"
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks"

/** Rows drawn above and below those that are seen. */
const spare = 6

/** Browsers lay nothing out that is higher than some 30 million pixels: a longer list scrolls in larger steps. */
const highest = 8_000_000

const keys: Readonly<Record<string, (at: number, page: number, last: number) => number>> = {
  ArrowDown: (at) => at + 1,
  ArrowUp: (at) => at - 1,
  PageDown: (at, page) => at + page,
  PageUp: (at, page) => at - page,
  Home: () => 0,
  End: (_, __, last) => last,
}

/** What is seen of a list: how far it is scrolled, and how high it is. */
interface View {
  readonly top: number
  readonly height: number
}

/** Which rows are drawn, and where, by how far the list is scrolled. */
interface Window {
  readonly first: number
  readonly count: number
  /** Pixels of the list for each pixel that it is scrolled. */
  readonly ratio: number
  /** How high the drawn list is, in pixels. */
  readonly drawn: number
}

const windowOf = (rows: number, rowHeight: number, { top, height }: View): Window => {
  const whole = rows * rowHeight
  const drawn = Math.min(whole, highest)
  const ratio = drawn <= height ? 1 : (whole - height) / (drawn - height)
  const first = Math.max(0, Math.floor((top * ratio) / rowHeight) - spare)
  return { first, count: Math.ceil(height / rowHeight) + 2 * spare, ratio, drawn }
}

const useView = (rowHeight: number) => {
  const box = useRef<HTMLDivElement>(null)
  const [view, setView] = useState<View>({ top: 0, height: rowHeight * 10 })
  const look = () => {
    const element = box.current
    if (element === null) return
    const { scrollTop: top, clientHeight: height } = element
    setView((old) => (old.top === top && old.height === height ? old : { top, height }))
  }
  useLayoutEffect(look)
  return { box, view, look }
}

/** Scrolls just as far that a row is seen whole. */
const reveal = (element: HTMLElement, from: number, rowHeight: number, ratio: number): void => {
  const seen = element.scrollTop * ratio
  const until = from + rowHeight - element.clientHeight
  if (from < seen) element.scrollTop = from / ratio
  else if (until > seen) element.scrollTop = until / ratio
}

/** What a list of rows takes. */
export interface VirtualListProps<Row> {
  readonly label: string
  readonly rows: ReadonlyArray<Row>
  readonly keyOf: (row: Row) => string
  /** What a row shows: text and marks, nothing to press. */
  readonly row: (row: Row) => ComponentChildren
  /** The place of the chosen row. */
  readonly chosen: number | undefined
  readonly onChoose: (place: number) => void
  /** In pixels. */
  readonly rowHeight?: number
  readonly rowsSeen?: number
}

const placeIn = (target: EventTarget | null): number | undefined => {
  const row = target instanceof Element ? target.closest<HTMLElement>("[data-place]") : null
  return row === null ? undefined : Number(row.dataset.place)
}

/**
 * A list box that is one stop of the keyboard: arrows, page keys, Home and End choose a row. The parent says what is
 * chosen; a screen reader hears the row's text and its place in the whole.
 */
export const VirtualList = <Row,>(props: VirtualListProps<Row>): JSX.Element => {
  const { label, rows, keyOf, row, chosen, onChoose, rowHeight = 44, rowsSeen = 8 } = props
  const id = useId()
  const { box, view, look } = useView(rowHeight)
  const { first, count, ratio, drawn } = windowOf(rows.length, rowHeight, view)
  const choose = (place: number | undefined) => {
    if (place === undefined || rows.length === 0) return
    const at = Math.max(0, Math.min(rows.length - 1, place))
    onChoose(at)
    if (box.current !== null) reveal(box.current, at * rowHeight, rowHeight, ratio)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const to = keys[event.key]
    if (to === undefined) return
    event.preventDefault()
    const page = Math.max(1, Math.floor(view.height / rowHeight) - 1)
    choose(to(chosen ?? -1, page, rows.length - 1))
  }
  const isDrawn = chosen !== undefined && chosen >= first && chosen < first + count
  return (
    <div
      ref={box}
      class="virtual"
      role="listbox"
      tabIndex={0}
      aria-label={label}
      aria-activedescendant={isDrawn ? `${id}-${chosen}` : undefined}
      style={{ height: `${Math.min(rowsSeen, Math.max(1, rows.length)) * rowHeight + 2}px` }}
      onScroll={look}
      onClick={({ target }) => choose(placeIn(target))}
      onKeyDown={onKeyDown}
    >
      <div role="presentation" style={{ height: `${drawn}px` }}>
        {rows.slice(first, first + count).map((one, index) => (
          <div
            key={keyOf(one)}
            id={`${id}-${first + index}`}
            class="virtual-row"
            role="option"
            tabIndex={-1}
            data-place={first + index}
            aria-selected={first + index === chosen}
            aria-posinset={first + index + 1}
            aria-setsize={rows.length}
            style={{
              top: `${(first + index) * rowHeight - view.top * (ratio - 1)}px`,
              height: `${rowHeight}px`,
            }}
          >
            {row(one)}
          </div>
        ))}
      </div>
    </div>
  )
}
