import { Collaborator as CoreCollaborator } from "apportion"
import { Collaborator, Store } from "apportion/wire"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"

const ada = { id: "ada", currency: "EUR" }
const sam = { id: "sam", currency: "USD" }
const product = { id: "p1", tags: ["art"] }
const group = {
  id: "g1",
  collaborator_id: "ada",
  itemType: "products.tag",
  items: ["art"],
  type: "percentage",
  percentage: "12.50",
}
const payout = {
  id: "pay-1",
  currency: "EUR",
  collaborator: "ada",
  status: "active",
  to_be_paid_at: 1_702_598_400,
  paid_at: null,
  items: [{ amount: -1_500, is_expenses: true, expense_name: "Frames", orderItem: null }],
}
const whole = { collaborators: [ada, sam], products: [product], groups: [group], payouts: [payout] }

const read = (changes: object) => Result.getOrThrow(Store.read({ ...whole, ...changes }))
const problemsOf = (changes: object) => {
  const result = Store.read({ ...whole, ...changes })
  return Result.isFailure(result)
    ? result.failure.problems.map(({ path, message }) => `${path} ${message}`)
    : []
}

describe("a store", () => {
  it("has what its lists have", () => {
    const store = read({})
    expect(store.collaborators.map(({ id }) => id)).toEqual(["ada", "sam"])
    expect(store.products.map(({ id }) => id)).toEqual(["p1"])
    expect(store.groups).toMatchObject([{ group: { id: "g1", percent: "12.50" }, updatedAt: null }])
    expect(store.payouts).toMatchObject([{ id: "pay-1", items: [{ id: "pay-1/1" }] }])
  })

  it("can leave out any of its lists", () => {
    const nothing = { collaborators: [], products: [], groups: [], payouts: [] }
    expect(Result.getOrThrow(Store.read({}))).toEqual(nothing)
    expect(Result.getOrThrow(Store.read({ products: null, groups: [] }))).toEqual(nothing)
  })

  it("has the collaborators that its groups and payouts bring along", () => {
    const of = (id: string) => Collaborator.write(CoreCollaborator.make({ id, currency: "USD" }))
    const { collaborator_id, ...own } = group
    const store = read({
      collaborators: [sam],
      groups: [{ ...own, collaborator: of("ada") }],
      payouts: [{ ...payout, collaborator: of("kim") }],
    })
    expect(store.collaborators.map(({ id }) => id)).toEqual(["sam", collaborator_id, "kim"])
    expect(store.groups[0]?.group.collaboratorId).toBe("ada")
  })

  it("believes its list more than an object inside a group or payout", () => {
    const old = { ...ada, currency: "JPY" }
    const store = read({ payouts: [{ ...payout, collaborator: old }] })
    expect(store.collaborators.map(({ currency }) => currency)).toEqual(["EUR", "USD"])
  })

  it("keeps when a group was changed last", () => {
    expect(read({ groups: [{ ...group, updated_at: 7 }] }).groups[0]?.updatedAt).toBe(7)
  })

  it("has each variant of a product as an entry of its own", () => {
    const variant = (name: string) => ({ ...product, external_variant_id: name })
    const products = [product, variant("red"), variant("blue")]
    expect(read({ products }).products).toHaveLength(3)
  })

  it("has one active payout for each collaborator and currency", () => {
    const payouts = [
      payout,
      { ...payout, id: "pay-2", currency: "USD" },
      { ...payout, id: "pay-3", collaborator: "sam" },
      { ...payout, id: "pay-4", status: "pending" },
      { ...payout, id: "pay-5", status: "pending" },
    ]
    expect(read({ payouts }).payouts).toHaveLength(5)
  })
})

describe("a store that can't be read", () => {
  it("is no object, or has lists under other names", () => {
    expect(Result.isFailure(Store.read([]))).toBe(true)
    expect(problemsOf({ payout: [] })).toEqual([
      "payout is no list of a store: those are collaborators, products, groups, payouts",
    ])
    expect(problemsOf({ products: {}, groups: [5] })).toEqual([
      "products must be a list, got an object",
      "groups[0] must be an object, got 5",
    ])
  })

  it("has problems in its entries, and tells all of them with their places", () => {
    const found = problemsOf({
      collaborators: [ada, { id: "sam", currency: "ducats" }],
      products: [product, { name: "Mug" }],
      groups: [group, { ...group, id: "g2", items: [] }, { ...group, id: "g3", percentage: 101 }],
      payouts: [{ ...payout, items: [{ amount: 0.5 }] }],
    })
    const paths = found.map((problem) => problem.split(" ", 1)[0])
    expect(new Set(paths)).toEqual(
      new Set([
        "collaborators[1].currency",
        "products[1].id",
        "groups[1].items",
        "groups[2].percentage",
        "payouts[0].items[0].amount",
        "payouts[0].items[0].expense_name",
      ]),
    )
  })

  it("names collaborators that it does not have", () => {
    const { collaborator_id, ...own } = group
    const nobody = { ...own, collaborator: { id: "kim" } }
    expect(
      problemsOf({
        groups: [
          { ...group, collaborator_id: "bob" },
          { ...nobody, id: "g2" },
        ],
        payouts: [{ ...payout, collaborator: "bob" }],
      }),
    ).toEqual([
      'groups[0].collaborator_id "bob" is not among the collaborators',
      expect.stringMatching(/^groups\[1\]\.collaborator\.currency is missing/),
      'payouts[0].collaborator "bob" is not among the collaborators',
    ])
    expect(problemsOf({ collaborators: [sam, { ...ada, currency: "?" }] })).toEqual([
      expect.stringMatching(/^collaborators\[1\]\.currency/),
    ])
    expect(collaborator_id).toBe("ada")
  })

  it("has an id twice, and tells both places", () => {
    expect(
      problemsOf({
        collaborators: [ada, sam, ada],
        products: [
          ...[product, { id: "p2" }, { id: 1, external_variant_id: "a" }],
          ...[product, { id: "1", external_variant_id: "a" }],
        ],
        groups: [group, group],
        payouts: [payout, { ...payout, status: "pending" }],
      }),
    ).toEqual([
      'collaborators[2].id must be unique, collaborators[0] has the id "ada" too',
      'products[3].id must be unique, products[0] has the id "p1" too',
      'products[4].id must be unique, products[2] has the id "1" and the variant "a" too',
      'groups[1].id must be unique, groups[0] has the id "g1" too',
      'payouts[1].id must be unique, payouts[0] has the id "pay-1" too',
    ])
  })

  it("has two active payouts of one collaborator in one currency", () => {
    expect(problemsOf({ payouts: [payout, { ...payout, id: "pay-2" }] })).toEqual([
      'payouts[1].status must not be active: payouts[0] is the active payout of "ada" in EUR already',
    ])
  })
})
