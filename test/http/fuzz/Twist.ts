/** What is odd about a part of a request, and what may come of it. */

/** The order in which a request is checked: what is found at an earlier stage is answered. */
export type Stage = "token" | "size" | "json" | "content"

const stages: ReadonlyArray<Stage> = ["token", "size", "json", "content"]

export interface Twist<A> {
  readonly value: A
  readonly stage: Stage
  /** What may be answered because of it; empty: it makes no difference. */
  readonly may: ReadonlyArray<number>
  /** Whether one of these is answered for sure, unless an earlier stage answers. */
  readonly isSure: boolean
}

export const plain = <A>(value: A): Twist<A> => ({
  value,
  stage: "content",
  may: [],
  isSure: false,
})

/** It must be refused with this status. */
export const refused = <A>(value: A, status: 400 | 401 | 413 | 422): Twist<A> => {
  const stage = ({ 400: "json", 401: "token", 413: "size", 422: "content" } as const)[status]
  return { value, stage, may: [status], isSure: true }
}

/** It may be refused with this status, or be fine. */
export const perhaps = <A>(value: A, status: 400 | 422): Twist<A> => ({
  ...refused(value, status),
  isSure: false,
})

/** What may be answered, when without any twist it would be one of `usual`. */
export const answersOf = (
  twists: ReadonlyArray<Twist<unknown>>,
  usual: ReadonlyArray<number>,
): ReadonlyArray<number> => {
  const found = new Set<number>()
  for (const stage of stages) {
    const here = twists.filter((twist) => twist.stage === stage)
    for (const status of here.flatMap(({ may }) => may)) found.add(status)
    if (!here.some(({ isSure }) => isSure)) continue
    // Which of an unknown id, a conflict and a mistake in the content comes first is left open.
    if (stage === "content") for (const status of usual) if (status >= 300) found.add(status)
    return [...found]
  }
  for (const status of usual) found.add(status)
  return [...found]
}
