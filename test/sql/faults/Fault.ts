/** What can break at a step that is taken with the database, and how the database itself says so. */

/** What a step does. */
export type Kind = "reserve" | "begin" | "statement" | "commit" | "rollback"

/** A step that something is taken with. */
export interface Boundary {
  readonly kind: Kind
  /** Empty where a connection is asked for. */
  readonly statement: string
}

/** What the database answers instead of doing what it was asked, by its code. */
const answers = {
  "serialization failure": "40001",
  deadlock: "40P01",
  "lock timeout": "55P03",
  "unique violation": "23505",
  "disk full": "53100",
  cancelled: "57014",
} as const

type Answer = keyof typeof answers

/** Something that breaks. */
export type Fault =
  | Answer
  /** An error of the client in place of the step; the connection goes on. */
  | "error before"
  /** The step is done, and an error is told all the same; the connection goes on. */
  | "error after"
  /** The connection is dead from before the step on: nothing can be asked of it any more. */
  | "dead before"
  /** The step is done, its answer is lost, and the connection is dead from then on. */
  | "dead after"
  /** The step takes its time. */
  | "delay"
  /** Whoever called gives up just before the step. */
  | "interruption before"
  /** Whoever called gives up while the step is under way. */
  | "interruption during"

const isAnswer = (fault: Fault): fault is Answer => Object.hasOwn(answers, fault)

/** The code with which the database answers; `undefined` where it has no say. */
export const codeOf = (fault: Fault): string | undefined =>
  isAnswer(fault) ? answers[fault] : undefined

const conflicts: ReadonlySet<Fault> = new Set<Fault>([
  ...(["serialization failure", "deadlock", "lock timeout", "unique violation"] as const),
])

/** Whether the same, tried again at once, can succeed. */
export const isConflict = (fault: Fault): boolean => conflicts.has(fault)

const anywhere = [
  ...(["error before", "error after", "dead before", "dead after"] as const),
  ...(["delay", "interruption before", "interruption during"] as const),
]

const breaking = ["serialization failure", "deadlock", "disk full", "cancelled"] as const

const byKind: Readonly<Record<Kind, ReadonlyArray<Fault>>> = {
  reserve: ["error before", "delay", "interruption before"],
  begin: [...anywhere, "disk full"],
  statement: [...anywhere, ...breaking],
  commit: [...anywhere, ...breaking],
  // A living connection can't refuse it; what was to cancel the statement before can come too late.
  rollback: ["dead before", "dead after", "delay", "interruption during", "cancelled"],
}

const writes = /^\s*(?:INSERT|UPDATE|DELETE|WITH)\b/

/** The faults that make sense at a step. */
export const faultsAt = ({ kind, statement }: Boundary): ReadonlyArray<Fault> => {
  if (kind !== "statement") return byKind[kind]
  if (statement.includes("FOR UPDATE")) return [...byKind.statement, "lock timeout"]
  return writes.test(statement) ? [...byKind.statement, "unique violation"] : byKind.statement
}
