/**
 * How many random cases a test tries. `APPORTION_RUNS` asks for more (or fewer) than the usual number,
 * for a long run.
 */
export const runs = (usual: number): { readonly numRuns: number } => {
  const asked = Number(process.env.APPORTION_RUNS)
  return { numRuns: Number.isSafeInteger(asked) && asked > 0 ? asked : usual }
}
