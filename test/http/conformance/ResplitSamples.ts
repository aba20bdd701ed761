/** Of the endpoints of re-splits. */
import { groupBodies } from "./OriginalSamples.js"
import { type Ids, idsOf, type Samples, type Stocked } from "./Sample.js"

let proposed = 0

/** A run of no sale, whose digest is always the same. */
const propose = async (shop: Stocked): Promise<Ids & { readonly digest: string }> => {
  const id = `run ${++proposed}`
  const { json } = await shop.ask("POST", "/v1/resplits", { body: { id, order_ids: ["none"] } })
  return { ...idsOf(shop), run_id: id, digest: json.data.digest }
}

const approved = async (shop: Stocked): Promise<Ids> => {
  const { digest, ...ids } = await propose(shop)
  const path = `/v1/resplits/${encodeURIComponent(ids.run_id ?? "")}/approve`
  await shop.ask("POST", path, { body: { digest } })
  return ids
}

const chosen = {
  ...{ collaborator: "ada", product: "p1", order_ids: ["o1", 7], completes: true },
  ...{ recorded_from: "2020-03-01T12:00:00Z", recorded_to: 1_900_000_000 },
  ...{ sold_from: 1_500_000_000, sold_to: "2060-03-01T12:00:00Z" },
}

/** With each documented field and value of groups and of policies. */
const ruled = [
  ...groupBodies.map((group, place) => ({
    groups: [
      { ...group, id: place, collaborator_id: "ada" },
      {
        itemType: "products.all",
        type: "flat",
        amount: 1,
        id: "g",
        collaborator_id: "sam",
        created_at: 0,
      },
    ],
  })),
  ...[
    { discount: "deduct", tax: "remove", cost: "ignore", gateway_fee: "ignore" },
    { discount: "ignore", tax: "keep", cost: "deduct", gateway_fee: "deduct" },
    { tax: "share", flat_scope: "unit", stacking: "most-specific", rounding: "largest-remainder" },
    { flat_scope: "item", stacking: "all", rounding: "floor", over_allocation: "reject" },
    { flat_scope: "order", shipping: "store", over_allocation: "scale" },
    { shipping: "share", over_allocation: "rank", rounding: "carry" },
    ...[{ shipping: "charge", over_allocation: "allow" }, { shipping: "all" }, {}],
  ].map((policy) => ({ policy })),
  { groups: [], policy: null },
]

/** Of no sale. */
const digest = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

export const resplitSamples: Samples = {
  proposeResplit: {
    body: { id: "usual" },
    bodies: [
      ...[{ ...chosen, id: "whole", reason: "from the beginning" }, { id: 7 }],
      ...ruled.map((rules, place) => ({ ...rules, id: `ruled ${place}`, order_ids: ["none"] })),
    ],
  },
  previewResplit: {
    body: {},
    bodies: [{ ...chosen, biggest: 3 }, { biggest: null }, ...ruled],
  },
  viewResplit: { ready: propose },
  approveResplit: { ready: propose, body: { digest }, bodies: [{ digest }] },
  bookResplit: { ready: approved },
}
