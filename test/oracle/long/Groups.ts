/**
 * Product groups of the long comparison: small sets of anything, large ones with few matches a line, and
 * hundreds of groups behind one and the same link.
 */
import type { ProductGroup } from "apportion"
import { percentOf, settingOf } from "./Money.js"
import type { Random } from "./Random.js"
import { oddIds, type Scene, textOf, textsOf } from "./Scene.js"

type Group = ProductGroup.GroupInput
type Link = Group["link"]
type Condition = NonNullable<Group["condition"]>

const conditionTypes = [
  "order.tag",
  "customer.tag",
  "discount.code",
  "country.code",
  "referer",
] as const

/** Moments just before, at and just after the ones that groups start and end at. */
const moments = [0, 999, 1_000, 1_001, 1_999, 2_000, 2_001]

export const momentOf = (random: Random): number => random.pick(moments)

const maybe = <A>(random: Random, cases: number, make: () => A): A | null | undefined =>
  random.percent(cases) ? make() : random.pick([null, undefined])

/** In large rule sets a NOT matches nearly every line, so there are only a few of them. */
const notCases = ({ shape }: Scene): number =>
  ({ small: 30, medium: 12, bucket: 2, wide: 2, dense: 30 })[shape]

const modifierOf = (scene: Scene): "WITH" | "NOT" | undefined =>
  scene.random.percent(notCases(scene)) ? "NOT" : scene.random.pick(["WITH", undefined])

const linkTypeOf = ({ random, shape }: Scene): Link["type"] => {
  const place = random.below(100)
  const all = { small: 22, medium: 8, bucket: 10, wide: 1, dense: 30 }[shape]
  if (place < all) return "products.all"
  return random.pick(["products.tag", "products.tag", "products.vendor", "products"] as const)
}

const linkOf = (scene: Scene): Link => {
  const { random } = scene
  const type = linkTypeOf(scene)
  const modifier = modifierOf(scene)
  if (type === "products.all" && random.percent(90)) return { type }
  const values =
    type === "products"
      ? random.picks(random.percent(8) ? 0 : random.between(1, 4), scene.productIds)
      : textsOf(random, scene.texts)
  return modifier === undefined ? { type, values } : { type, modifier, values }
}

const conditionOf = (scene: Scene): Condition => {
  const { random } = scene
  const type = random.percent(30) ? "referer" : random.pick(conditionTypes)
  const from = type === "country.code" ? scene.countries : scene.conditionTexts
  const modifier = modifierOf(scene)
  const values = textsOf(random, from)
  return modifier === undefined ? { type, values } : { type, modifier, values }
}

const conditionCases = ({ shape }: Scene): number =>
  ({ small: 50, medium: 50, bucket: 96, wide: 45, dense: 25 })[shape]

type Limits = Pick<Group, "minAmount" | "maxAmount" | "startsAt" | "endsAt">

const limitsOf = (scene: Scene): Limits => {
  const { random } = scene
  const [one, other] = [settingOf(scene), settingOf(scene)]
  const [from, to] = [momentOf(random), momentOf(random)]
  const dates = random.percent(18)
  return {
    minAmount: maybe(random, 12, () => Math.min(one, other)),
    maxAmount: maybe(random, 12, () => Math.max(one, other)),
    startsAt: dates ? maybe(random, 70, () => Math.min(from, to)) : undefined,
    endsAt: dates ? maybe(random, 70, () => Math.max(from, to) + (from === to ? 1 : 0)) : null,
  }
}

/** Any valid product group; of a few values in the scene, so that it meets products and other groups. */
export const groupOf = (scene: Scene, id: string, link: Link = linkOf(scene)): Group => {
  const { random } = scene
  const condition = random.percent(conditionCases(scene)) ? conditionOf(scene) : null
  const percent = maybe(random, 75, () => percentOf(scene))
  return {
    id,
    collaboratorId: random.pick(scene.collaborators),
    link,
    condition,
    percent,
    amount: percent == null || random.percent(15) ? settingOf(scene) : undefined,
    shippingPercent: maybe(random, 15, () => percentOf(scene)),
    shippingAmount: maybe(random, 15, () => settingOf(scene)),
    deductForOtherSplits: condition?.type === "referer" && random.percent(50),
    ...limitsOf(scene),
    createdAt: maybe(random, 60, () => momentOf(random)),
  }
}

/** Ids that all differ, and that sort in other ways than they look. */
export const idsOf = (random: Random, count: number): ReadonlyArray<string> => {
  if (count <= oddIds.length) return random.shuffled(oddIds).slice(0, count)
  const numbered = Array.from({ length: count }, (_, index) => `${random.pick(oddIds)}${index}`)
  return random.shuffled([...oddIds, ...numbered.slice(oddIds.length)])
}

const sizeOf = ({ random, shape }: Scene): number => {
  if (shape === "small") return random.pick([0, 1, 2, 2, 3, 3, 4, 4, 5, 6, 7, 8, 10, 12])
  if (shape === "medium") return random.between(10, 60)
  if (shape === "dense") return random.between(40, 160)
  return random.between(70, 400)
}

/** The one or two links that most groups of a rule set share. */
const sharedLinks = (scene: Scene): ReadonlyArray<Link> => {
  const { random } = scene
  const one = (): Link => {
    const type = random.pick([
      "products.all",
      "products.tag",
      "products.vendor",
      "products",
    ] as const)
    if (type === "products.all") return { type }
    const modifier = random.percent(12) ? "NOT" : "WITH"
    if (type === "products") return { type, modifier, values: [random.pick(scene.productIds)] }
    return { type, modifier, values: [textOf(random, scene.texts)] }
  }
  return random.percent(60) ? [one()] : [one(), one()]
}

/** Hundreds of groups behind a link or two, told apart by their conditions; and some others. */
const bucketOf = (scene: Scene, ids: ReadonlyArray<string>): ReadonlyArray<Group> => {
  const links = sharedLinks(scene)
  return ids.map((id) =>
    scene.random.percent(90) ? groupOf(scene, id, scene.random.pick(links)) : groupOf(scene, id),
  )
}

/** A valid list of groups in the scene's shape. */
export const groupsOf = (scene: Scene): ReadonlyArray<Group> => {
  const ids = idsOf(scene.random, sizeOf(scene))
  return scene.shape === "bucket" ? bucketOf(scene, ids) : ids.map((id) => groupOf(scene, id))
}

/** Another group in the place of one: anew, or the same with one thing changed. */
export const replacementOf = (scene: Scene, old: Group): Group => {
  const other = groupOf(scene, old.id)
  const place = scene.random.below(10)
  if (place < 3) return other
  if (place < 5) return { ...old, link: other.link }
  if (place < 6) return { ...old, collaboratorId: other.collaboratorId }
  if (place < 7) return { ...old, createdAt: other.createdAt }
  if (place < 8) return { ...old, percent: percentOf(scene) }
  if (place < 9) return { ...old, startsAt: null, endsAt: momentOf(scene.random) }
  const deductForOtherSplits = other.deductForOtherSplits ?? false
  return { ...old, condition: other.condition, deductForOtherSplits }
}
