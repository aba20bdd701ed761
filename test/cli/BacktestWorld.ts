/** Rules before and after, and orders on which they differ. */
import { type Contents, Folder, groups, order, type Ran, run } from "./world.js"

export const folder = new Folder()

/** Ada gets 30% of art in place of 25%, and Sam 5% of everything in place of 10%. */
export const against = [
  { ...groups[0], percentage: "30.00" },
  { ...groups[1], percentage: "5.00" },
]

export const orders = [
  order("1"),
  order("2", { created_at: "2025-02-10T12:00:00Z" }),
  order("3", { created_at: null }),
]

/** Runs a backtest on files, of which the inputs that are given replace some. */
export const backtest = (
  flags: ReadonlyArray<string> = [],
  inputs: { readonly [flag: string]: Contents } = {},
): Promise<Ran> => {
  const given: { readonly [flag: string]: Contents } = { groups, against, orders, ...inputs }
  const files = Object.entries(given).flatMap(([flag, contents]) => [
    `--${flag}`,
    folder.file(`${flag}.json`, contents),
  ])
  return run(["backtest", ...files, ...flags])
}

/** With these groups, more is claimed of an order with the referer than it brings in. */
export const greedy = (referer: string) => [
  ...groups,
  {
    ...groups[0],
    id: "g3",
    collaborator_id: "max",
    percentage: "90.00",
    splitConditionType: "referer",
    splitConditions: [referer],
  },
]
