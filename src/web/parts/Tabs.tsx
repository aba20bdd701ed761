/** Tabs: one of several views in the same place. */
import type { ComponentChildren, JSX } from "preact"
import { useId, useRef } from "preact/hooks"

/** One of the views. */
export interface Tab<Name extends string> {
  readonly name: Name
  readonly label: ComponentChildren
}

const moves: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowRight: (at, count) => (at + 1) % count,
  ArrowLeft: (at, count) => (at + count - 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
}

/** Tabs with the view of the chosen one. Arrows move between them, as the pattern of ARIA says. */
export const Tabs = <Name extends string>({
  label,
  tabs,
  chosen,
  onChoose,
  children,
}: {
  readonly label: string
  readonly tabs: ReadonlyArray<Tab<Name>>
  readonly chosen: Name
  readonly onChoose: (name: Name) => void
  readonly children: ComponentChildren
}): JSX.Element => {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const onKeyDown = (event: KeyboardEvent) => {
    const move = moves[event.key]
    if (move === undefined) return
    event.preventDefault()
    const at = move(
      tabs.findIndex(({ name }) => name === chosen),
      tabs.length,
    )
    const next = tabs[at]
    if (next === undefined) return
    onChoose(next.name)
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[at]?.focus()
  }
  return (
    <div>
      <div ref={list} class="tablist" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
        {tabs.map((tab) => (
          <button
            key={tab.name}
            type="button"
            class="tab"
            role="tab"
            id={`${id}-${tab.name}`}
            aria-selected={tab.name === chosen}
            aria-controls={`${id}-view`}
            tabIndex={tab.name === chosen ? 0 : -1}
            onClick={() => onChoose(tab.name)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div id={`${id}-view`} role="tabpanel" aria-labelledby={`${id}-${chosen}`}>
        {children}
      </div>
    </div>
  )
}
