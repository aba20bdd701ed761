/** What the token may do: who may not make a change is told so before they fill in its form. */
import { signal } from "@preact/signals"
import type { ComponentChildren } from "preact"

type Scope = "record" | "payouts" | "manage"

/** The token's scopes; `null`: all, or not known yet. The server decides; these only say it earlier. */
export const scopes = signal<ReadonlyArray<string> | null>(null)

export const may = (scope: Scope): boolean => scopes.value?.includes(scope) ?? true

const changes = {
  record: "record refunds",
  payouts: "change or pay payouts",
  manage: "change this",
} as const

/** What changes something, or why it is not here. */
export const Needs = ({ scope, children }: { scope: Scope; children?: ComponentChildren }) =>
  may(scope) ? (
    children
  ) : (
    <p class="faint">
      Your access token may not {changes[scope]}: it has no scope “{scope}”.
    </p>
  )
