/** A form for one change, which is shown in a dialog before it is made. */
import type { ComponentChildren } from "preact"
import { useState } from "preact/hooks"
import { Button } from "../parts/Button.js"
import { ChangeDialog, type PlannedChange, useKeyOf } from "./Change.js"
import type { RequestFailure } from "./Connection.js"
import { useFormFocus } from "./FormFocus.js"

export const ChangeForm = <Answer,>(given: {
  title: string
  filledIn: unknown
  /** The change as it is filled in; `undefined`: something is wrong, which is said at its field. */
  planned: () => PlannedChange<Answer> | undefined
  /** Why the server refused it; `undefined` when it is shown anew. */
  refused: (failure: RequestFailure | undefined) => void
  close: () => void
  /** What is to be filled in. */
  children: ComponentChildren
}) => {
  const { title, filledIn, planned, refused, close, children } = given
  const sendKey = useKeyOf(filledIn)
  const [change, setChange] = useState<PlannedChange<Answer> | undefined>(undefined)
  const { form, refuse } = useFormFocus(true)
  const show = () => {
    refused(undefined)
    const next = planned()
    if (next === undefined) refuse()
    else setChange(next)
  }
  return (
    <form
      ref={form}
      class="sheet"
      aria-label={title}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        show()
      }}
    >
      <h2>{title}</h2>
      {children}
      <div class="row">
        <Button submits kind="main">
          Show what changes
        </Button>
        <Button onPress={close}>Cancel</Button>
      </div>
      {change !== undefined && (
        <ChangeDialog
          change={change}
          refused={refused}
          sendKey={sendKey}
          close={(isDone) => {
            if (isDone) return close()
            setChange(undefined)
            refuse()
          }}
        />
      )}
    </form>
  )
}
