/** Hundredths of a percent of a percentage that was checked before, as `"12.50"`; none is 0. */
export const basisPointsOf = (percent: string | null): number => Math.round(Number(percent) * 100)
