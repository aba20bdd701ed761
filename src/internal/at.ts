/** The error for a missing entry. */
export const nothingAt = ({ length }: ArrayLike<unknown>, place: number): RangeError =>
  new RangeError(`nothing stands at ${place} of a list of ${length}`)

/**
 * The entry of a list at an index. It is for indexes that always have an entry, because the same code made the list; a
 * missing entry is a bug there, and must not be read as 0.
 */
export const at = <A>(list: ArrayLike<A | undefined>, place: number): A => {
  const found = list[place]
  if (found === undefined) throw nothingAt(list, place)
  return found
}

/**
 * The same for whole numbers in a typed array, which the hottest loops read. Each kind of array has its own function:
 * V8 reads all of them a fifth slower if one function has seen two kinds.
 */
export const numberAt = (numbers: Int32Array, place: number): number => {
  const found = numbers[place]
  if (found === undefined) throw nothingAt(numbers, place)
  return found
}

/** The same for numbers of 16 bits. */
export const shortAt = (numbers: Uint16Array, place: number): number => {
  const found = numbers[place]
  if (found === undefined) throw nothingAt(numbers, place)
  return found
}

/** The same for numbers of 64 bits. */
export const doubleAt = (numbers: Float64Array, place: number): number => {
  const found = numbers[place]
  if (found === undefined) throw nothingAt(numbers, place)
  return found
}

/** The same for bytes. */
export const byteAt = (bytes: Uint8Array, place: number): number => {
  const found = bytes[place]
  if (found === undefined) throw nothingAt(bytes, place)
  return found
}

/** The same for numbers in an ordinary list. */
export const entryAt = (numbers: ReadonlyArray<number>, place: number): number => {
  const found = numbers[place]
  if (found === undefined) throw nothingAt(numbers, place)
  return found
}
