/** A turn as a workflow: its version, what it is given, and to which runners it goes. */
import * as Context from "effect/Context"
import { ShardGroup } from "effect/cluster/ClusterSchema"
import * as Schema from "effect/Schema"
import * as Workflow from "effect/workflow/Workflow"

/**
 * The number of what a turn does. A version whose turns do it otherwise gets the next: no runner then goes on with a turn that
 * another version began.
 */
export const TurnVersion = Context.Reference<number>("apportion/cluster/TurnVersion", {
  defaultValue: () => 1,
})

/** The runners among which the turns of a version are divided. Others would not know what to do with them. */
export const groupOf = (version: number): string => `turns-${version}`

/** A turn of a version. */
export const turnOf = (version: number) =>
  Workflow.make(`apportion/Turn/${version}`, {
    payload: { accountId: Schema.String, kind: Schema.String, turn: Schema.Number },
    idempotencyKey: ({ accountId, kind, turn }) => JSON.stringify([accountId, kind, turn]),
  })
    // What a database could not do is tried again, and not kept as what came of it.
    .annotate(Workflow.CaptureDefects, false)
    .annotate(ShardGroup, () => groupOf(version))

/** The workflow of a version's turns. */
export type TurnWorkflow = ReturnType<typeof turnOf>
