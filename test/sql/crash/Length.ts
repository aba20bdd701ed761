/**
 * How long the tests of crashes last. They are short, unless `APPORTION_CRASHES=long` asks for the long ones:
 * a minute of writers in each mode, 500 processes killed on a server and 500 on a folder, 25 servers, 30 runs
 * through a bad network. That takes about an hour; `APPORTION_SEED` gives other scripts than usual.
 *
 *     APPORTION_CRASHES=long npx vitest run --project long test/sql/crash
 */
export const isLong: boolean = process.env.APPORTION_CRASHES === "long"

export const lasting = (usual: number, long: number): number => (isLong ? long : usual)

/** Where chance begins. */
export const seed: number = Number(process.env.APPORTION_SEED ?? 1)

/** Longer than anything here may take. */
export const timeout: number = isLong ? 7_200_000 : 120_000

/** Tells how much was done, where somebody wants to know. */
export const tell = (what: unknown): void => {
  if (isLong || process.env.APPORTION_TALLY !== undefined) console.log(what)
}
