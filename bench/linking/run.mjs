// Linking a catalogue beside the limit by hand, and changes of it beside making it anew.
import { execFileSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { ProductLinks, RuleSet } from "../../dist/index.js"
import { collectGarbage, compareAnswers, race, settings } from "../measure.mjs"
import { figure, named, ratio, spread, table, writeSection } from "../report.mjs"
import { countLinks, eachLinked } from "./limit.mjs"
import { changedProducts, makeWorkload } from "./workload.mjs"

const sizes = {
  products: Number(process.env.BENCH_PRODUCTS ?? 100_000),
  groups: Number(process.env.BENCH_GROUPS ?? 10_000),
}
const { rounds, seconds, seed } = settings({ rounds: 7, seconds: 0.5 })
const changedCount = Math.max(1, Math.round(sizes.products / 100))

const copyOf = (products) => JSON.parse(JSON.stringify(products))

/** A number that is another one for nearly every other list of positions. */
const checksum = (length, positionAt) => {
  let sum = 0
  for (let at = 0; at < length; at += 1) sum = (Math.imul(sum, 31) + positionAt(at)) | 0
  return sum
}

const answersByHand = (rules, products) => {
  const counts = countLinks(rules.groups, products)
  const answers = []
  eachLinked(rules.groups, products, (group, list, length) => {
    answers.push([counts[group], length, checksum(length, (at) => list[at])])
  })
  return answers
}

const answersOf = (linking, positions) =>
  linking.rules.groups.map(({ id }) => {
    const found = ProductLinks.productsOf(linking, id)
    const sum = checksum(found.length, (at) => positions.get(found[at].id))
    return [ProductLinks.countOf(linking, id), found.length, sum]
  })

const positionsOf = (products) => new Map(products.map(({ id }, at) => [id, at]))

/** All groups x all products: the same numbers from both, then the race. */
const raceWhole = async (rules, products) => {
  const linking = ProductLinks.make(rules, products)
  await compareAnswers([
    { name: "the limit by hand", answers: () => answersByHand(rules, products) },
    { name: "ProductLinks.make", answers: () => answersOf(linking, positionsOf(products)) },
  ])
  let fresh = products
  const prepare = () => {
    fresh = copyOf(products)
    collectGarbage()
  }
  const results = await race(
    [
      { name: "the limit by hand", lines: 1, prepare, run: () => countLinks(rules.groups, fresh) },
      {
        name: "ProductLinks.make",
        lines: 1,
        prepare,
        run: () => ProductLinks.count(ProductLinks.make(rules, fresh)),
      },
    ],
    { rounds, seconds },
  )
  return { linking, results }
}

/** The same, and all the products of all groups listed one after another. */
const raceListing = async (rules, products) => {
  let listed = 0
  const contenders = [
    {
      name: "the limit by hand, positions",
      lines: 1,
      run: () =>
        eachLinked(rules.groups, products, (_, list, length) => {
          listed += length + list[0]
        }),
    },
    {
      name: "ProductLinks.make and productsOf",
      lines: 1,
      run: () => {
        const linking = ProductLinks.make(rules, products)
        for (const { id } of rules.groups) listed += ProductLinks.productsOf(linking, id).length
      },
    },
  ]
  const results = await race(contenders, { rounds: 3, seconds: 0 })
  if (listed === 0) throw new Error("nothing was listed")
  return results
}

const wholeRows = (kind, links, results) => {
  const [limit, own] = results
  return [kind, figure(links), spread(limit), spread(own), ratio(own, limit)]
}

/** Makes a chain of changes, each of what the one before has made; after a hundred it begins anew. */
const chain = (name, linking, inputOf, change) => {
  let [current, step, input] = [linking, 0, undefined]
  const prepare = () => {
    if (step % 100 === 0) current = linking
    input = inputOf(current, step)
    step += 1
  }
  const run = () => {
    current = change(current, input)
    ProductLinks.count(current)
  }
  return { name, lines: 1, prepare, run }
}

const groupOf = (at, link) => ({
  id: `g${at % sizes.groups}`,
  collaboratorId: "c0",
  percent: 1,
  link,
})

/** Rules in which one group links others. */
const otherRules = (linkOf) => (linking, step) =>
  RuleSet.put(linking.rules, groupOf(step, linkOf(step)))

const changesOf = (kind, linking) => {
  const { products } = sizes
  const changed = (_, step) =>
    changedProducts({ kind, products, count: changedCount, seed: seed + 1 + step })
  const one = (_, step) => changedProducts({ kind, products, count: 1, seed: seed + 1 + step })
  const keys = (_, step) =>
    Array.from({ length: changedCount }, (_, at) => `p${(step * changedCount + at) % products}`)
  const tag = (step) => ({ type: "products.tag", values: [`Tag ${step % 50}`, `tag ${step}`] })
  const ids = (step) => ({ type: "products", values: [`p${step}`, `p${step + 7}`] })
  const rules = (linkOf) => (kept, step) => otherRules(linkOf)(kept, step)
  const name = figure(changedCount)
  return [
    chain(`putProducts, ${name} changed`, linking, changed, ProductLinks.putProducts),
    chain("putProducts, one changed", linking, one, ProductLinks.putProducts),
    chain(`removeProducts, ${name}`, linking, keys, ProductLinks.removeProducts),
    chain("withRules, one group by tags", linking, rules(tag), ProductLinks.withRules),
    chain("withRules, one group by ids", linking, rules(ids), ProductLinks.withRules),
  ]
}

/** After some changes of all kinds a linking says what the limit says of the products of then. */
const checkChanges = async (kind, { products, rules }, linking) => {
  const all = new Map(products.map((product) => [product.id, product]))
  let current = linking
  for (let step = 0; step < 12; step += 1) {
    const count = Math.max(1, Math.round(changedCount / 4))
    const changed = changedProducts({ kind, products: sizes.products, count, seed: seed + step })
    current = ProductLinks.putProducts(current, changed)
    for (const product of changed) {
      all.delete(product.id)
      all.set(product.id, product)
    }
  }
  const left = [...all.values()]
  await compareAnswers([
    { name: "the limit by hand after changes", answers: () => answersByHand(rules, left) },
    { name: "putProducts", answers: () => answersOf(current, positionsOf(left)) },
  ])
}

const raceChanges = async (kind, { products, rules }, linking, whole) => {
  await checkChanges(kind, { products, rules }, linking)
  const results = await race(changesOf(kind, linking), { rounds, seconds })
  return results.map((result) => [
    kind,
    result.name,
    spread(result),
    `${figure((result.median / whole.median) * 100)} %`,
  ])
}

const memory = (kind) => {
  const script = fileURLToPath(new URL("memory.mjs", import.meta.url))
  const { products, groups } = sizes
  const given = [script, kind, products, groups, seed].map(String)
  return JSON.parse(execFileSync(process.execPath, ["--expose-gc", ...given], { encoding: "utf8" }))
}

const megabytes = (bytes) => `${figure(bytes / 1e6)} MB`

export const run = async () => {
  const tables = { whole: [], listed: [], changes: [], memory: [] }
  for (const kind of ["selective", "dense"]) {
    const workload = makeWorkload({ kind, ...sizes, seed })
    const rules = RuleSet.make(workload.groups)
    const shop = { rules, products: workload.products }
    const { linking, results } = await raceWhole(rules, shop.products)
    const links = ProductLinks.count(linking)
    tables.whole.push(wholeRows(kind, links, results))
    tables.listed.push(wholeRows(kind, links, await raceListing(rules, shop.products)))
    tables.changes.push(
      ...(await raceChanges(kind, shop, linking, named(results, "ProductLinks.make"))),
    )
    const { linked, given } = memory(kind)
    tables.memory.push([kind, megabytes(given), megabytes(linked)])
  }
  const size = `${figure(sizes.products)} products x ${figure(sizes.groups)} groups`
  const head = [
    "",
    "links",
    "limit by hand, median (range)",
    "`ProductLinks`, median (range)",
    "ratio",
  ]
  const text = `## Linking a catalogue

${size}. The limit by hand turns texts into numbers and works out the products of every group with typed arrays and bits; it keeps nothing, knows no keys, and can't be changed. Both start from products that have just been read from JSON, and every group's number of links is known at the end. Before anything is timed, the numbers and a checksum over the positions of all products of all groups are compared, for the whole and after a chain of changes. Medians of ${rounds} interleaved rounds.

${table(head, tables.whole)}

The same and then every product of every group listed: the limit writes positions into a list that the next group overwrites, \`productsOf\` makes arrays of products. Three rounds.

${table(head, tables.listed)}

Changes, each of what the change before has made, the merging of parts included. What it costs beside \`ProductLinks.make\` of the whole catalogue:

${table(["", "change", "time, median (range)", "of making it whole"], tables.changes)}

Memory of a linking, beyond the products and groups themselves:

${table(["", "products and groups", "linking"], tables.memory)}`
  console.log(`${text}\n`)
  writeSection("linking", text)
}
