/**
 * What stands at a place of a list. It is for places where something always stands, because the same code
 * made the list; that nothing does is a mistake there, and must not go on as a 0.
 */
export const at = <A>(list: ArrayLike<A | undefined>, place: number): A => {
  const found = list[place]
  if (found === undefined) {
    throw new RangeError(`nothing stands at ${place} of a list of ${list.length}`)
  }
  return found
}
