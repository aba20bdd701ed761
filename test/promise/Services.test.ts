import type { Collaborator } from "apportion"
import type { Sliced, StoredCollaborator } from "apportion/ports"
import {
  type Apportion,
  type ChangeOptions,
  makeApportion,
  type PageInput,
  type UnitServices,
} from "apportion/promise"
import type {
  LinkProgress,
  ListedPayout,
  ListedProduct,
  NewEntry,
  PayoutQuery,
  ProductQuery,
  ViewedPayout,
} from "apportion/service"
import { expect, expectTypeOf, test } from "vitest"

/** A method without what it rejects with. */
type Plain<Method> = Method extends (...given: infer Given) => Promise<infer A>
  ? (...given: Given) => Promise<A>
  : never

const shop = "my-shop"

test("effects are promises, streams are loops, pages may be left out, changes take a key", () => {
  type Collaborators = Apportion["collaborators"]
  expectTypeOf<Plain<Collaborators["get"]>>().toEqualTypeOf<
    (accountId: string, collaboratorId: string) => Promise<StoredCollaborator>
  >()
  expectTypeOf<Plain<Collaborators["create"]>>().toEqualTypeOf<
    (
      accountId: string,
      collaborator: Collaborator.CollaboratorInput,
      options?: ChangeOptions,
    ) => Promise<StoredCollaborator>
  >()
  expectTypeOf<Plain<Collaborators["list"]>>().toEqualTypeOf<
    (accountId: string, page?: PageInput) => Promise<Sliced<StoredCollaborator>>
  >()
  expectTypeOf<Plain<Apportion["payouts"]["addExpense"]>>().toEqualTypeOf<
    (
      accountId: string,
      payoutId: string,
      expense: NewEntry,
      options?: ChangeOptions,
    ) => Promise<ViewedPayout>
  >()
  expectTypeOf<Plain<Apportion["products"]["list"]>>().returns.toEqualTypeOf<
    Promise<Sliced<ListedProduct>>
  >()
  expectTypeOf<Apportion["products"]["list"]>().parameters.toEqualTypeOf<
    [accountId: string, query?: ProductQuery, page?: PageInput]
  >()
  expectTypeOf<Plain<Apportion["payouts"]["list"]>>().toEqualTypeOf<
    (accountId: string, query?: PayoutQuery, page?: PageInput) => Promise<Sliced<ListedPayout>>
  >()
  expectTypeOf<Apportion["groups"]["list"]>().parameters.toEqualTypeOf<
    [accountId: string, collaboratorId: string, page?: PageInput]
  >()
  expectTypeOf<Apportion["groups"]["watch"]>().returns.toEqualTypeOf<AsyncIterable<LinkProgress>>()
  expectTypeOf<UnitServices["groups"]>().not.toHaveProperty("watch")
})

test("the catalogue is listed by name, searched, and with who earns on it", async () => {
  const apportion = await makeApportion()
  await apportion.collaborators.create(shop, { id: "ada", currency: "USD" })
  const link = { type: "products.tag", values: ["art"] } as const
  const { group } = await apportion.groups.create(shop, "ada", { link, percent: 10 })
  for await (const _ of apportion.groups.watch(shop, group.id));
  await apportion.products.put(shop, [
    { id: "p2", name: "Print", tags: ["art"] },
    { id: "p1", name: "Mug" },
  ])
  const names = async (search?: string) =>
    (await apportion.products.list(shop, { search })).entries.map(({ product }) => product.name)
  expect(await names()).toEqual(["Mug", "Print"])
  expect(await names("PRI")).toEqual(["Print"])
  expect(await apportion.products.list(shop)).toEqual(await apportion.products.list(shop, {}))
  const second = await apportion.products.list(shop, undefined, { page: 2, perPage: 1 })
  expect(second.entries).toMatchObject([{ product: { id: "p2" } }])
  const { entries, total } = await apportion.products.list(
    shop,
    { includeCollaborators: true },
    { page: 2, perPage: 1 },
  )
  expect(total).toBe(2)
  expect(entries).toMatchObject([{ product: { id: "p2" }, collaborators: [{ id: "ada" }] }])
  await apportion.close()
})

test("a sale can be tried without being recorded, read again, and listed", async () => {
  const apportion = await makeApportion()
  await apportion.collaborators.create(shop, { id: "ada", currency: "USD" })
  await apportion.groups.create(shop, "ada", { link: { type: "products.all" }, percent: 10 })
  const items = [{ id: "i1", amount: 1_000, quantity: 1, product: { id: "p1" } }]
  const order = { id: "o1", currency: "USD", items }
  const preview = await apportion.sales.preview(shop, order)
  expect(preview.split.shares).toMatchObject([{ amount: 100 }])
  await expect(apportion.sales.get(shop, "o1")).rejects.toMatchObject({ _tag: "NotFound" })
  const { parts } = await apportion.sales.record(shop, order)
  expect(await apportion.sales.get(shop, "o1")).toEqual(parts)
  expect(await apportion.sales.list(shop)).toEqual({ entries: parts, total: 1 })
  const payoutId = parts[0]?.postings[0]?.payoutId ?? "none"
  const payouts = await apportion.payouts.list(shop)
  expect(payouts).toMatchObject({ entries: [{ payout: { id: payoutId } }], total: 1 })
  const seen = await apportion.payouts.getAsSeen(shop, payoutId)
  expect(seen).toMatchObject({ total: 100, collaborator: { id: "ada" } })
  await apportion.close()
})
