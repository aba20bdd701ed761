/**
 * Amounts of the long comparison: odd cents, free items, and the largest there are.
 */
import type { Random } from "./Random.js"
import type { Scene } from "./Scene.js"

const max = Number.MAX_SAFE_INTEGER
const usual = [0, 1, 2, 3, 99, 100, 101, 9_999, 10_000]
const largest = [max, max - 1, (max - 1) / 2, (max + 1) / 2, 2 ** 52 + 1]
const small = [0, 1, 2, 7, 33]

/** Where quick arithmetic ends: at 31 and 32 bits, and where a product with 10,000 is no longer exact. */
const edges = [2 ** 31, 2 ** 32, 94_906_265, 900_719_925_474, 450_359_962_737, 2 ** 40, 2 ** 43]

/** Any size from a cent to the largest amounts, each as likely as the others; or just around an edge. */
const anySize = (random: Random): number =>
  random.percent(40)
    ? random.pick(edges) + random.between(-2, 2)
    : Math.floor(random.safe() / 2 ** random.between(0, 53))

export const centsOf = ({ random, money }: Scene): number => {
  if (money === "large" && random.percent(80)) return anySize(random)
  if (money === "huge" && random.percent(45)) {
    return random.percent(50) ? random.pick(largest) : random.safe()
  }
  return random.percent(50) ? random.pick(usual) : random.between(1, 20_000)
}

const smallCents = (random: Random): number =>
  random.percent(50) ? random.pick(small) : random.below(3_001)

export const settingOf = (scene: Scene): number =>
  scene.money !== "usual" && scene.random.percent(25) ? centsOf(scene) : smallCents(scene.random)

const special = ["0.00", 0, "0.01", "10", "5.5", "100.00", "33.33", "50.00", 100, 66.67]

export const percentOf = ({ random, percents }: Scene): string | number => {
  if (percents === "wild" && random.percent(40)) return random.pick(special)
  if (random.percent(10)) return random.pick(special.slice(0, 3))
  const most = { tiny: 60, mild: 2_000, wild: 10_000 }[percents]
  const points = random.between(0, most)
  return random.pick([(points / 100).toFixed(2), points / 100, `${points / 100}`])
}

/** Nothing, a part of the amount, all of it, more than it, or the other way round. */
export const partOf = (scene: Scene, amount: number): number | undefined => {
  const { random } = scene
  const place = random.below(12)
  if (place < 6) return undefined
  if (place < 10) return Math.trunc((amount * random.below(5)) / 5)
  if (place === 10) return amount
  return random.percent(50) ? centsOf(scene) : 0 - centsOf(scene)
}

export const orderSumOf = (scene: Scene): number | undefined => {
  const { random } = scene
  if (random.percent(15)) return undefined
  if (random.percent(50)) return random.pick([0, 1, 5, 100, 101, 499])
  return random.percent(60) ? centsOf(scene) : 0 - centsOf(scene)
}
