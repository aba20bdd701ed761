// Dividing an amount over ratios by largest remainder, as one writes it oneself. Equal remainders are served in
// the order of the ratios.
import Big from "big.js"

const served = (parts, remainders, isLess, left) => {
  const order = remainders
    .map((_, index) => index)
    .sort((one, other) => {
      if (isLess(remainders[other], remainders[one])) return -1
      return isLess(remainders[one], remainders[other]) ? 1 : one - other
    })
  for (let given = 0; given < left; given += 1) parts[order[given]] += 1
  return parts
}

/** With BigInt: exact for every safe integer. */
export const allocateBigInt = (amount, ratios) => {
  const whole = BigInt(amount)
  const total = ratios.reduce((sum, ratio) => sum + BigInt(ratio), 0n)
  const products = ratios.map((ratio) => whole * BigInt(ratio))
  const parts = products.map((product) => Number(product / total))
  const left = parts.reduce((rest, part) => rest - part, amount)
  const remainders = products.map((product) => product % total)
  return served(parts, remainders, (one, other) => one < other, left)
}

/** With big.js: exact for every safe integer. */
export const allocateBig = (amount, ratios) => {
  const total = ratios.reduce((sum, ratio) => sum.plus(ratio), new Big(0))
  const whole = new Big(amount)
  const products = ratios.map((ratio) => whole.times(ratio))
  const remainders = products.map((product) => product.mod(total))
  const parts = products.map((product, index) =>
    product.minus(remainders[index]).div(total).toNumber(),
  )
  const left = parts.reduce((rest, part) => rest - part, amount)
  return served(parts, remainders, (one, other) => one.lt(other), left)
}
