/**
 * Analyses that stop now and then, so that other work can go on.
 *
 * @since 0.6.0
 */

/**
 * How far an analysis is.
 *
 * @since 0.6.0
 * @category models
 */
export interface Progress {
  /** What it is at, in words: `"groups that never count"`. */
  readonly task: string
  /** Of how many groups, products or collaborators of the task it is known. */
  readonly done: number
  /** Of how many it is to be known. */
  readonly of: number
  /** All steps that were taken, as the budget counts them. */
  readonly steps: number
}

/**
 * An analysis under way. It stops after about 25,000 steps each time, says how far it is, and goes on when
 * it is asked to. Whoever asks no more has cancelled it.
 *
 * @since 0.6.0
 * @category models
 */
export type Steps<Answer> = Generator<Progress, Answer, void>
