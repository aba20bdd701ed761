/** Flat amounts that are paid once an order, and other groups in the place of those that pay them. */
import { Analysis, type ProductGroup, RuleSet, type SplitPolicy } from "apportion"
import { expect, test } from "vitest"

type Groups = ReadonlyArray<ProductGroup.GroupInput>

const group = (
  id: string,
  values: ReadonlyArray<string>,
  changes: Partial<ProductGroup.GroupInput> = {},
): ProductGroup.GroupInput => ({
  id,
  collaboratorId: "ada",
  link: { type: "products.tag", values },
  amount: 500,
  ...changes,
})

const verdictOf = (one: Groups, other: Groups, policy: Partial<SplitPolicy.SplitPolicy> = {}) =>
  Analysis.equivalent(RuleSet.make(one), RuleSet.make(other), {
    policy: { flatScope: "order", ...policy },
  }).verdict

const both = [group("art", ["art", "print"])]
const each = [group("art", ["art"]), group("print", ["print"])]

test("two groups in the place of one may pay twice, whichever rule set has them", () => {
  expect(verdictOf(both, each)).toBe("undecided")
  expect(verdictOf(each, both)).toBe("undecided")
})

test("percentages are paid of each item, by whatever group", () => {
  const changes = { amount: null, percent: 10 }
  const percents = (list: Groups) => list.map((one) => ({ ...one, ...changes }))
  expect(verdictOf(percents(both), percents(each))).toBe("equivalent")
})

test("groups that never count are in nobody's place", () => {
  const first = group("all", ["art", "print", "book"], { createdAt: 2 })
  const second = [group("b", ["print"]), group("c", ["print", "book"])]
  expect(verdictOf([first, group("a", ["art"])], [first, ...second])).toBe("equivalent")
})

test("where every group is paid, each has one of its own in its place", () => {
  const older = each.map((one, createdAt) => ({ ...one, createdAt }))
  const newer = each.map((one, createdAt) => ({ ...one, createdAt: 9 - createdAt }))
  expect(verdictOf(older, newer, { stacking: "all" })).toBe("equivalent")
})

test("one collaborator of several is enough to say nothing", () => {
  const sam = group("sam", ["art"], { collaboratorId: "sam" })
  expect(verdictOf([...both, sam], [...each, sam])).toBe("undecided")
  expect(verdictOf([sam, ...both], [sam, ...each])).toBe("undecided")
})
