/**
 * Records a sale in a folder of JSON files and shows what it brought whom. Run it twice: the second time it
 * finds everything as the first one left it, and the sale, which is known by then, is not counted again.
 *
 *   node record-a-sale.mjs some-folder
 */
import { makeApportion } from "apportion/promise"
import { makeJsonFileStorage } from "./JsonFileStorage.mjs"

const shop = "paper-heron"

/** @param {string} line */
const say = (line) => process.stdout.write(`${line}\n`)

/**
 * Makes the shop: a printmaker who gets an eighth of what is tagged as art.
 *
 * @param {import("apportion/promise").Apportion} apportion
 */
const openShop = async ({ unitOfWork, groups }) => {
  const { group } = await unitOfWork(shop, async ({ collaborators, products, groups }) => {
    await collaborators.create(shop, { id: "ada", currency: "EUR", account: { name: "Ada" } })
    await products.put(shop, [
      { id: "heron", name: "Heron, linocut", tags: ["art"] },
      { id: "mug", name: "Mug", tags: ["kitchen"] },
    ])
    const link = /** @type {const} */ ({ type: "products.tag", values: ["art"] })
    return groups.create(shop, "ada", { id: "art", link, percent: "12.50" })
  })
  for await (const { status, scanned, productsCount } of groups.watch(shop, group.id)) {
    if (status === "done") say(`linked: ${productsCount} of ${scanned} products`)
  }
}

const [folder = "paper-heron-data"] = process.argv.slice(2)
const storage = await makeJsonFileStorage(folder)
const apportion = await makeApportion({ storage })
try {
  const { total } = await apportion.collaborators.list(shop)
  if (total === 0) await openShop(apportion)

  const { newItemIds, knownItemIds } = await apportion.sales.record(shop, {
    id: "order-1",
    currency: "EUR",
    items: [
      { id: "1", amount: 12_000, quantity: 2, product: { id: "heron" } },
      { id: "2", amount: 1_500, quantity: 1, product: { id: "mug" } },
    ],
  })
  say(`recorded: ${newItemIds.length} items, known before: ${knownItemIds.length}`)

  const { entries } = await apportion.payouts.list(shop, { status: "active" })
  for (const { payout, collaborator } of entries) {
    say(`${collaborator.account.name}: ${payout.total} cents in ${payout.currency}`)
  }
} finally {
  await apportion.close()
}
