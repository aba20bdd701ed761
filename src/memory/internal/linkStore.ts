import type { LinkStore } from "../../ports/LinkStore.js"
import type { MemoryAccount } from "./Account.js"
import type { Journal } from "./Journal.js"
import { productsOf } from "./productStore.js"
import { sealed } from "./seal.js"
import { everything, slicedList } from "./Table.js"

type LinkJobs = "job" | "saveJob" | "removeJob" | "runningJobs"

const jobs = (
  { jobs, runningJobs }: MemoryAccount,
  journal: Journal,
): Pick<LinkStore, LinkJobs> => ({
  job: (groupId) => journal.read("read a link job", () => jobs.get(groupId)),
  saveJob: (job) => journal.write("save a link job", () => jobs.put(journal, sealed(job))),
  removeJob: (groupId) => journal.write("remove a link job", () => jobs.remove(journal, groupId)),
  runningJobs: (limit) =>
    journal.read(
      "read the running link jobs",
      () => runningJobs.list(everything)?.slice(0, limit) ?? [],
    ),
})

const setOfProduct = (
  { catalogue, links }: MemoryAccount,
  journal: Journal,
  change: { readonly productKey: string; readonly groupIds: ReadonlySet<string> },
): void => {
  const entry = catalogue.get(change.productKey)
  if (entry === undefined) return
  for (const groupId of [...links.groupsOf(entry.key)]) {
    if (!change.groupIds.has(groupId)) links.remove(journal, groupId, entry)
  }
  for (const groupId of change.groupIds) links.add(journal, groupId, entry)
}

/** The store of links within one transaction. Only products that are in the catalogue can be linked. */
export const make = (account: MemoryAccount, journal: Journal): LinkStore => {
  const { catalogue, links } = account
  return {
    add: (groupId, productKeys) =>
      journal.write("link products", () => {
        for (const entry of catalogue.find(productKeys)) links.add(journal, groupId, entry)
      }),
    clear: (groupId) =>
      journal.write("clear the links of a group", () => {
        for (const entry of links.productsOf(groupId)?.all() ?? []) {
          links.remove(journal, groupId, entry)
        }
      }),
    setOfProduct: (productKey, groupIds) =>
      journal.write("set the links of a product", () =>
        setOfProduct(account, journal, { productKey, groupIds: new Set(groupIds) }),
      ),
    products: (groupId, slice) =>
      journal.read("list linked products", () =>
        productsOf(slicedList(links.productsOf(groupId), slice)),
      ),
    counts: (groupIds) =>
      journal.read("count linked products", () =>
        groupIds.map((groupId) => links.productsOf(groupId)?.size ?? 0),
      ),
    groupsOf: (productKeys) =>
      journal.read("read the groups of products", () =>
        productKeys.map((key) => [...links.groupsOf(key)]),
      ),
    ...jobs(account, journal),
  }
}
