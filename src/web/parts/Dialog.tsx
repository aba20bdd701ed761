/** Dialogs: what stands before a change until it is confirmed or left. */
import type { ComponentChildren, JSX } from "preact"
import { useEffect, useId, useRef } from "preact/hooks"

/** What the focus goes to when what had it is gone: the page's heading, and not the beginning of the page. */
const focusHeading = (): void => {
  if (document.activeElement === document.body) {
    document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true })
  }
}

/**
 * A modal dialog, open as long as it is in the page. The browser keeps the focus inside, closes it by Escape, and gives
 * the focus back. When the button that was pressed gives way to others, the first of them has the focus.
 */
export const Dialog = ({
  title,
  children,
  actions,
  onClose,
}: {
  readonly title: string
  readonly children: ComponentChildren
  /** The buttons at its end. */
  readonly actions: ComponentChildren
  readonly onClose: () => void
}): JSX.Element => {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const element = dialog.current
    const before = document.activeElement
    element?.showModal()
    return () => {
      element?.close()
      if (before instanceof HTMLElement) before.focus()
      // What had the focus may be closed together with the dialog.
      setTimeout(focusHeading)
    }
  }, [])
  useEffect(() => {
    const element = dialog.current
    if (element === null || element.contains(document.activeElement)) return
    element.querySelector<HTMLElement>(".dialog-actions button:enabled")?.focus()
  })
  return (
    <dialog
      ref={dialog}
      class="dialog"
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      <h2 id={id}>{title}</h2>
      {children}
      <div class="dialog-actions">{actions}</div>
    </dialog>
  )
}
