/** A change is made in two steps: what will happen is shown with its figures, and then it happens. */
import type { Signal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useMemo, useState } from "preact/hooks"
import { Button } from "../parts/Button.js"
import { Dialog } from "../parts/Dialog.js"
import { type ApiAnswer, newKey, type RequestFailure } from "./Connection.js"
import { loadAgain } from "./Load.js"
import { FailureNotice } from "./Notice.js"

/** What a change does to a figure. */
export interface FigureChange {
  readonly what: ComponentChildren
  /** `undefined`: there is none before. */
  readonly before?: ComponentChildren
  readonly after: ComponentChildren
}

/** Figures before and after a change. */
export const BeforeAfter = ({ of }: { of: ReadonlyArray<FigureChange> }) => (
  <table class="table effects">
    <caption class="spoken">What changes</caption>
    <thead>
      <tr>
        <th scope="col">What</th>
        <th scope="col" class="figure">
          Before
        </th>
        <th scope="col" class="figure">
          After
        </th>
      </tr>
    </thead>
    <tbody>
      {of.map(({ what, before, after }, index) => (
        <tr key={`${index}`}>
          <th scope="row">{what}</th>
          <td class="figure">{before ?? "–"}</td>
          <td class="figure">
            <strong>{after}</strong>
          </td>
        </tr>
      ))}
    </tbody>
  </table>
)

/** What a change is, before it is made. */
export interface PlannedChange<T> {
  readonly title: string
  readonly verb: string
  /** What will happen. */
  readonly preview: ComponentChildren
  /** Whether it can't be taken back. */
  readonly isGrave?: boolean
  /** Whether figures of the preview are still to come: nobody confirms what they have not seen. */
  readonly isLoading?: Signal<boolean>
  /** Makes it; one that takes long says how far it has come. */
  readonly send: (key: string, come: (words: string) => void) => Promise<ApiAnswer<T>>
  /** What has happened. */
  readonly result: (value: T) => ComponentChildren
}

const verbOf = (
  verb: string,
  sending: string | undefined,
  answer: ApiAnswer<unknown> | undefined,
): string => {
  if (sending !== undefined) return sending
  return answer === undefined ? verb : "Try again"
}

/**
 * The idempotency key of what is filled in: looked at once more and sent again, after an answer that never came, it is
 * still made once.
 */
export const useKeyOf = (filledIn: unknown): string => useMemo(newKey, [JSON.stringify(filledIn)])

/** Sends a change, and keeps what came of it. */
const useSending = <T,>({
  change,
  refused,
  sendKey,
}: {
  readonly change: PlannedChange<T>
  readonly refused?: ((failure: RequestFailure) => void) | undefined
  readonly sendKey?: string | undefined
}) => {
  const [own] = useState(newKey)
  const key = sendKey ?? own
  const [answer, setAnswer] = useState<ApiAnswer<T> | undefined>(undefined)
  const [sending, setSending] = useState<string | undefined>(undefined)
  const [isSent, setSent] = useState(false)
  const send = async () => {
    setSending("Sending…")
    setAnswer(undefined)
    setSent(true)
    const came = await change.send(key, setSending)
    setSending(undefined)
    setAnswer(came)
    if (came.type === "failed") refused?.(came.failure)
  }
  return { answer, sending, isSent, send }
}

/**
 * Shows a change, makes it when told so, and shows what came of it. It has one idempotency key: sent again after a
 * connection that failed, it is still made once. It is not left while it is being made.
 */
export const ChangeDialog = <T,>(given: {
  change: PlannedChange<T>
  close: (isDone: boolean) => void
  refused?: ((failure: RequestFailure) => void) | undefined
  /** That of the form, if this is not the only dialog in which the same can be sent. */
  sendKey?: string | undefined
}) => {
  const { change } = given
  const { answer, sending, isSent, send } = useSending(given)
  const isSending = sending !== undefined
  const isDone = answer?.type === "done"
  const isLoading = change.isLoading?.value === true
  const close = () => {
    if (isSending) return
    given.close(isDone)
    // What has failed may have been made in part, or without an answer. A view that is left asks for nothing any more.
    if (isSent) setTimeout(loadAgain)
  }
  const offered = (
    <>
      <Button onPress={close} disabled={isSending}>
        Cancel
      </Button>
      <Button
        kind={change.isGrave === true ? "danger" : "main"}
        disabled={isSending || isLoading}
        isBusy={isSending || isLoading}
        onPress={send}
      >
        {verbOf(change.verb, sending, answer)}
      </Button>
    </>
  )
  return (
    <Dialog
      title={change.title}
      onClose={close}
      actions={
        isDone ? (
          <Button kind="main" onPress={close}>
            Close
          </Button>
        ) : (
          offered
        )
      }
    >
      {answer?.type === "done" ? (
        <div class="notice notice-good" role="status">
          {change.result(answer.value)}
        </div>
      ) : (
        change.preview
      )}
      {answer?.type === "failed" && <FailureNotice failure={answer.failure} />}
    </Dialog>
  )
}
