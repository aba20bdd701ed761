/**
 * Amounts of the long comparison: odd cents, free items, and the largest there are.
 */
import type { Random } from "./Random.js"
import type { Scene } from "./Scene.js"

const max = Number.MAX_SAFE_INTEGER
const usual = [0, 1, 2, 3, 99, 100, 101, 9_999, 10_000]
const largest = [max, max - 1, (max - 1) / 2, (max + 1) / 2, 2 ** 52 + 1]
const small = [0, 1, 2, 7, 33]

export const centsOf = ({ random, money }: Scene): number => {
  if (money === "huge" && random.percent(45)) {
    return random.percent(50) ? random.pick(largest) : random.safe()
  }
  return random.percent(50) ? random.pick(usual) : random.between(1, 20_000)
}

const smallCents = (random: Random): number =>
  random.percent(50) ? random.pick(small) : random.below(3_001)

export const settingOf = (scene: Scene): number =>
  scene.money === "huge" && scene.random.percent(25) ? centsOf(scene) : smallCents(scene.random)

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
