/** Buttons. */
import type { ComponentChildren, JSX } from "preact"

/** What a button takes. */
export interface ButtonProps {
  readonly children: ComponentChildren
  readonly onPress?: (() => void) | undefined
  /** `main`: what the page is for; `danger`: what can't be undone; `plain`: looks like a link. */
  readonly kind?: "main" | "danger" | "plain" | undefined
  /** Sends the form it is in; `onPress` may be left out. */
  readonly submits?: boolean | undefined
  readonly disabled?: boolean | undefined
  /** What a screen reader says instead of the children. */
  readonly name?: string | undefined
  readonly pressed?: boolean | undefined
  /** Whether it waits for something, and can be pressed afterwards. */
  readonly isBusy?: boolean | undefined
}

/** A button. */
export const Button = ({
  children,
  onPress,
  kind,
  submits = false,
  disabled = false,
  name,
  pressed,
  isBusy = false,
}: ButtonProps): JSX.Element => (
  <button
    type={submits ? "submit" : "button"}
    class={kind === undefined ? "button" : `button button-${kind}`}
    onClick={onPress}
    disabled={disabled}
    aria-label={name}
    aria-pressed={pressed}
    aria-busy={isBusy ? true : undefined}
  >
    {children}
  </button>
)
