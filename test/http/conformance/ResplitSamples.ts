/** Of the endpoints of re-splits. */
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

/** Of no sale. */
const digest = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

export const resplitSamples: Samples = {
  proposeResplit: {
    body: { id: "usual" },
    bodies: [{ ...chosen, id: "whole", reason: "from the beginning" }, { id: 7 }],
  },
  previewResplit: { body: {}, bodies: [{ ...chosen, biggest: 3 }, { biggest: null }] },
  viewResplit: { ready: propose },
  approveResplit: { ready: propose, body: { digest }, bodies: [{ digest }] },
  bookResplit: { ready: approved },
}
