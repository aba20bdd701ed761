/** Product groups with something wrong in them, for the commands that look at rules. */
import { Folder, run } from "./world.js"

export const folder = new Folder()

const group = (id: string, who: string, changes: object = {}) => ({
  id,
  collaborator_id: who,
  itemType: "products.all",
  type: "percentage",
  percentage: "10.00",
  ...changes,
})

const linked = (items: ReadonlyArray<string>) => ({ itemType: "products.tag", items })

export const ada = group("ada-art", "ada", { ...linked(["art"]), percentage: "60.00" })
export const sam = group("sam-blog", "sam", {
  percentage: "50.00",
  splitConditionType: "referer",
  splitConditions: ["blog"],
})
export const kim = group("kim", "kim", { ...linked(["gift", "Gift"]), percentage: "5.00" })
export const lee = group("lee", "lee", { percentage: "0.00" })

/** One error, one warning and one note. */
export const flawed = [ada, sam, kim, lee]

/** A list of groups with each on a line of its own, from the second line on. */
export const lines = (groups: ReadonlyArray<object>): string =>
  `[\n${groups.map((each) => JSON.stringify(each)).join(",\n")}\n]\n`

export const check = (groups: ReadonlyArray<object>, ...flags: ReadonlyArray<string>) =>
  run(["check", "--groups", folder.file("groups.json", lines(groups)), ...flags])

export const diff = (
  one: ReadonlyArray<object>,
  other: ReadonlyArray<object>,
  ...flags: ReadonlyArray<string>
) => run(["diff", folder.file("a.json", lines(one)), folder.file("b.json", lines(other)), ...flags])
