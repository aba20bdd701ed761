/** What failed and is tried again later: after each failure the wait is twice as long. */

interface Failing {
  readonly failures: number
  /** Milliseconds of the clock. */
  readonly retryAt: number
}

const firstWaitMillis = 500
const longestWaitMillis = 60_000

/** What is waited for, by a name of one's own. */
export interface Patience {
  readonly failing: Map<string, Failing>
}

export const makePatience = (): Patience => ({ failing: new Map() })

/** Notes a failure; gives how often it failed in a row and how many milliseconds to wait. */
export const noteFailure = (
  { failing }: Patience,
  name: string,
  at: number,
): { readonly failures: number; readonly waitMillis: number } => {
  const failures = (failing.get(name)?.failures ?? 0) + 1
  const waitMillis = Math.min(firstWaitMillis * 2 ** (failures - 1), longestWaitMillis)
  failing.set(name, { failures, retryAt: at + waitMillis })
  return { failures, waitMillis }
}

export const noteSuccess = ({ failing }: Patience, name: string): void => {
  failing.delete(name)
}

/** Forgets all that has none of these names. */
export const keepOnly = ({ failing }: Patience, names: ReadonlySet<string>): void => {
  for (const name of failing.keys()) if (!names.has(name)) failing.delete(name)
}

export const isDue = ({ failing }: Patience, name: string, at: number): boolean =>
  (failing.get(name)?.retryAt ?? at) <= at

/** How many milliseconds until the first of all that failed is due. */
export const millisUntilDue = ({ failing }: Patience, at: number): number => {
  const times = Array.from(failing.values(), ({ retryAt }) => retryAt - at)
  return Math.max(0, Math.min(longestWaitMillis, ...times))
}
