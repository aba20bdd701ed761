/** Whether random histories reach what they are meant to reach. */

/** Situations by what they are called, each with a look at one history. */
export type Extremes<A> = Readonly<Record<string, (one: A) => boolean>>

/** The situations that fewer than so many histories reach, with how many do. */
export const seldomMet = <A>(
  extremes: Extremes<A>,
  histories: ReadonlyArray<A>,
  least: number,
): ReadonlyArray<string> =>
  Object.entries(extremes).flatMap(([name, isMet]) => {
    const met = histories.filter(isMet).length
    return met < least ? [`${name}: ${met}`] : []
  })
