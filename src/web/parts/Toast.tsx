/** Short messages about what just happened, seen and heard. */
import { signal } from "@preact/signals"
import type { JSX } from "preact"
import { Verbatim } from "./Verbatim.js"

/** A message on the page. */
export interface Message {
  readonly id: number
  readonly text: string
  readonly kind: "done" | "bad"
}

const messages = signal<ReadonlyArray<Message>>([])
let next = 0

/** How long a message stays: what went wrong stays until it is closed. */
const shownSeconds = 6

const drop = (id: number): void => {
  messages.value = messages.value.filter((message) => message.id !== id)
}

/** Says something to who looks and to who listens. */
export const tell = (text: string, kind: Message["kind"] = "done"): void => {
  next += 1
  const id = next
  messages.value = [...messages.value, { id, text, kind }].slice(-4)
  if (kind === "done") setTimeout(() => drop(id), shownSeconds * 1000)
}

/** Where messages appear. It stands once in each page, from the start, so that screen readers listen to it. */
export const Toasts = (): JSX.Element => (
  <div class="toasts" role="status" aria-live="polite">
    {messages.value.map(({ id, text, kind }) => (
      <div key={id} class={kind === "bad" ? "toast toast-bad" : "toast"}>
        <Verbatim text={text} />{" "}
        {kind === "bad" && (
          <button type="button" class="button button-plain" onClick={() => drop(id)}>
            Close
          </button>
        )}
      </div>
    ))}
  </div>
)
