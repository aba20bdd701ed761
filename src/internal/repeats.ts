/** A value that stands in a list again, and where it stood first. */
export interface Repeat<A> {
  readonly value: A
  readonly index: number
  readonly first: number
}

/** The values of a list that stood in it before. */
export const repeats = <A>(values: ReadonlyArray<A>): ReadonlyArray<Repeat<A>> => {
  const firsts = new Map<A, number>()
  return values.flatMap((value, index) => {
    const first = firsts.get(value)
    if (first === undefined) firsts.set(value, index)
    return first === undefined ? [] : [{ value, index, first }]
  })
}
