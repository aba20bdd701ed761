/** What a view says about itself: that it is loading, what went wrong, what state something is in. */
import type { ComponentChildren } from "preact"
import { Button } from "../parts/Button.js"
import { Verbatim } from "../parts/Verbatim.js"
import type { RequestFailure } from "./Connection.js"
import { type Loaded, loadAgain } from "./Load.js"

/** What went wrong, with what is wrong with each field. */
export const FailureNotice = ({ failure }: { failure: RequestFailure }) => {
  const fields = Object.entries(failure.errors)
  return (
    <div class="notice notice-bad" role="alert">
      {fields.length === 0 ? (
        <p>
          <Verbatim text={failure.message} most={2000} />
        </p>
      ) : (
        <>
          <p>This was refused:</p>
          <ul>
            {fields.map(([name, texts]) => (
              <li key={name}>
                <Verbatim text={name} />: <Verbatim text={texts.join("; ")} most={2000} />
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}

/** Whether the same may be answered if it is asked for again. */
const mayPass = ({ status }: RequestFailure): boolean =>
  status === 0 || status === 429 || status >= 500

/** Why something is not shown, or not as it is by now. */
export const LoadFailure = ({ failure }: { failure: RequestFailure }) => (
  <>
    <FailureNotice failure={failure} />
    {mayPass(failure) && (
      <p>
        <Button onPress={loadAgain}>Try again</Button>
      </p>
    )}
  </>
)

/** What was loaded, or why it was not. */
export const Shown = <T,>({
  of: { value, failure },
  children,
}: {
  of: Loaded<T>
  children: (value: T) => ComponentChildren
}) => (
  <>
    {failure !== undefined && <LoadFailure failure={failure} />}
    {value === undefined && failure === undefined && (
      <p class="faint" role="status">
        Loading…
      </p>
    )}
    {value !== undefined && children(value)}
  </>
)

const tones: Readonly<Record<string, string>> = {
  active: "calm",
  pending: "warn",
  paid: "good",
  "manually paid": "good",
  failed: "bad",
  error: "bad",
  warning: "warn",
  note: "calm",
}

/** A state in a word. */
export const Badge = ({ of }: { of: string }) => (
  <span class={`badge ${tones[of] ?? "calm"}`}>{of}</span>
)
