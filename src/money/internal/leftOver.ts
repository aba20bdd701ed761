/** Gives the cents that rounding down left over to the largest remainders, ties to the earlier one. */
export const giveLeftOver = <Remainder extends number | bigint>(
  parts: Array<number>,
  remainders: ReadonlyArray<Remainder>,
  leftOver: number,
): Array<number> => {
  if (leftOver === 0) return parts
  const receivers = remainders
    .map((remainder, index) => ({ remainder, index }))
    .sort((a, b) =>
      a.remainder === b.remainder ? a.index - b.index : a.remainder < b.remainder ? 1 : -1,
    )
    .slice(0, leftOver)
  for (const { index } of receivers) parts[index] = (parts[index] ?? 0) + 1
  return parts
}
