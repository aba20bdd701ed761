/**
 * The small scope: every rule set of one or two groups that ask in one of these ways, for one collaborator and
 * for two. Each attribute has two values; every kind of link and condition is there, with and without values.
 */
import type { ProductGroup } from "apportion"
import type { Group } from "./brute/Orders.js"

type Link = Group["link"]
type Condition = NonNullable<Group["condition"]>
type Dates = Pick<Group, "startsAt" | "endsAt">
type Shape = Pick<Group, "link" | "condition" | "startsAt" | "endsAt">

const link = (
  type: ProductGroup.LinkType,
  modifier: ProductGroup.Modifier,
  ...values: ReadonlyArray<string>
): Link => ({ type, modifier, values })

const condition = (
  type: ProductGroup.ConditionType,
  modifier: ProductGroup.Modifier,
  ...values: ReadonlyArray<string>
): Condition => ({ type, modifier, values })

const links: ReadonlyArray<Link> = [
  link("products.all", "WITH"),
  link("products.all", "NOT"),
  link("products.tag", "WITH", "a"),
  link("products.tag", "WITH", "B", "a"),
  link("products.tag", "NOT", "a"),
  link("products.tag", "NOT", "a", "b"),
  link("products.tag", "WITH"),
  link("products.tag", "NOT"),
  link("products.vendor", "WITH", "a"),
  link("products.vendor", "WITH", "b"),
  link("products.vendor", "NOT", "a", "b"),
  link("products", "WITH", "a"),
  link("products", "WITH", "b", "a"),
  link("products", "NOT", "a"),
]

const conditions: ReadonlyArray<Condition | null> = [
  null,
  condition("country.code", "WITH", "DE"),
  condition("country.code", "WITH", "at", "de"),
  condition("country.code", "NOT", "AT"),
  condition("order.tag", "WITH", "a"),
  condition("order.tag", "NOT", "a", "b"),
  condition("order.tag", "WITH"),
  condition("referer", "WITH", "a"),
  condition("referer", "NOT", "a"),
  condition("customer.tag", "WITH", "a"),
  condition("discount.code", "NOT", "a"),
]

const dates: ReadonlyArray<Dates> = [
  { startsAt: 10, endsAt: 20 },
  { startsAt: 20, endsAt: 30 },
  { startsAt: 15 },
  { endsAt: 15 },
]

const plainShapes: ReadonlyArray<Shape> = links.flatMap((each) =>
  conditions.map((asked) => ({ link: each, condition: asked })),
)

const datedShapes: ReadonlyArray<Shape> = [0, 2, 4, 11].flatMap((place) =>
  [0, 1].flatMap((asked) =>
    dates.map((within) => ({
      link: links[place] ?? link("products.all", "WITH"),
      condition: conditions[asked] ?? null,
      ...within,
    })),
  ),
)

const shapes: ReadonlyArray<Shape> = [...plainShapes, ...datedShapes]

/** What the two groups pay, in turns, so that every way meets many shapes. */
const payments: ReadonlyArray<readonly [Partial<Group>, Partial<Group>]> = [
  [{ percent: 60 }, { percent: 60 }],
  [{ percent: 60 }, { percent: 40 }],
  [{ percent: 60 }, { percent: 40.01 }],
  [{ percent: 60 }, { percent: 0 }],
  [{ percent: 0, amount: 5 }, { percent: 60 }],
]

const canDeduct = (shape: Shape): boolean => shape.condition?.type === "referer"

const groupOf = (shape: Shape, more: Partial<Group>, owner: string, id: string): Group => ({
  id,
  collaboratorId: owner,
  percent: null,
  deductForOtherSplits: canDeduct(shape) && id === "g",
  ...shape,
  ...more,
})

/** How many rule sets there are. */
export const scopeSize = shapes.length + 2 * shapes.length ** 2

/** The rule set of a number: single groups first, then pairs for one collaborator and for two. */
export const ruleSetAt = (number: number): ReadonlyArray<Group> => {
  const { length } = shapes
  const at = (place: number): Shape => shapes[place] ?? { link: link("products.all", "WITH") }
  const [first, second] = payments[number % payments.length] ?? [{ percent: 1 }, { percent: 1 }]
  if (number < length) return [groupOf(at(number), first, "ada", "g")]
  const pair = number - length
  const owner = pair < length ** 2 ? "ada" : "sam"
  return [
    groupOf(at(Math.floor(pair / length) % length), first, "ada", "g"),
    groupOf(at(pair % length), second, owner, "f"),
  ]
}

/** Three groups: those of a number, and one more. */
export const threeAt = (number: number): ReadonlyArray<Group> => {
  const shape = shapes[(number * 7) % shapes.length] ?? { link: link("products.all", "WITH") }
  const pair = shapes.length + ((number * 7_919) % (2 * shapes.length ** 2))
  return [
    ...ruleSetAt(pair),
    groupOf(shape, { percent: 40 }, number % 3 === 0 ? "sam" : "ada", "h"),
  ]
}
