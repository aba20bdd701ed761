/** What the process that is killed and the one that kills it say to each other. */
import type { Outcome, Step } from "./Step.js"
import type { StatementKind } from "./WatchedClient.js"

export interface Orders {
  readonly database: { readonly url: string } | { readonly folder: string }
  readonly concurrency: "queue" | "optimistic"
  readonly lanes: ReadonlyArray<{
    readonly accountId: string
    readonly steps: ReadonlyArray<Step>
  }>
  /** At which of its statements, or of its commits, the process kills itself. */
  readonly death?:
    | {
        readonly of: "statements" | "commits"
        readonly number: number
        readonly moment: "before" | "sent" | "after"
      }
    | undefined
}

export type Report =
  | { readonly what: "ready" }
  | { readonly what: "done" }
  | { readonly what: "sending" | "answered"; readonly kind: StatementKind; readonly number: number }
  | {
      readonly what: "acknowledged"
      readonly lane: number
      readonly step: number
      readonly outcome: Outcome
    }
