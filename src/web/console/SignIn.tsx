/** The way in: an access token, which is kept until the tab is closed. */
import { useState } from "preact/hooks"
import { Button } from "../parts/Button.js"
import { TextField } from "../parts/Field.js"
import { ask, farewell, type RequestFailure, signIn } from "./Connection.js"
import { FailureNotice } from "./Notice.js"

const refused = "This access token is not known. Check that it was copied whole."

export const SignIn = () => {
  const [token, setToken] = useState("")
  const [failure, setFailure] = useState<RequestFailure | undefined>(undefined)
  const [isAsking, setAsking] = useState(false)
  const enter = async () => {
    const given = token.trim()
    if (given === "" || isAsking) return
    setAsking(true)
    const answer = await ask("session", { token: given })
    setAsking(false)
    if (answer.type === "done") return signIn(given)
    const { status } = answer.failure
    setFailure(
      status === 401 ? { status, message: refused, errors: { token: [refused] } } : answer.failure,
    )
  }
  return (
    <main class="entrance">
      <h1>Sign in to the store’s console</h1>
      {farewell.value !== "" && (
        <p class="notice notice-warn" role="status">
          {farewell.value}
        </p>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault()
          enter()
        }}
      >
        <TextField
          label="Access token"
          type="password"
          value={token}
          onValue={setToken}
          required
          help="The one that apportion serve was started with, or that apportion token has made. It stays in this tab."
          problem={failure?.errors.token?.join("; ")}
        />
        {failure !== undefined && failure.status !== 401 && <FailureNotice failure={failure} />}
        <Button submits kind="main" disabled={isAsking}>
          {isAsking ? "Signing in…" : "Sign in"}
        </Button>
      </form>
    </main>
  )
}
