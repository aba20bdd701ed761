/** Of the endpoints of an account's rules as a whole. */
import { ProductGroups } from "apportion/service"
import { Effect } from "effect"
import { groupBodies } from "./OriginalSamples.js"
import { type Ids, idsOf, type Samples, type Stocked } from "./Sample.js"

/** Makes a group with a known id, unless there is one. */
const withHeron = async (shop: Stocked): Promise<Ids> => {
  const heron = { id: "heron", link: { type: "products.all" }, percent: "1" } as const
  const create = Effect.flatMap(ProductGroups, (groups) => groups.create("store", "ada", heron))
  await shop.run(Effect.catchTag(create, "AlreadyExists", () => Effect.void))
  return idsOf(shop)
}

const removed = { collaborator_id: "ada", group: null }

const known = { collaborator_id: "ada", group_id: "heron", group: { percent: 2 } }

/** With each documented field and value of a group. */
const drafts = groupBodies.map((group) => ({ collaborator_id: "ada", group }))

const period = { from: "2020-03-01T12:00:00Z", until: 1_900_000_000, most: 3 }

const refusals = { 404: { body: JSON.stringify({ ...removed, collaborator_id: "nobody" }) } }

export const rulesSamples: Samples = {
  previewProductGroup: {
    body: removed,
    bodies: [known, ...drafts],
    ready: withHeron,
    refusals,
  },
  backtestProductGroup: {
    body: removed,
    bodies: [
      { ...removed, ...period },
      { ...known, from: null, until: null, most: null },
      ...drafts.map((draft) => ({ ...draft, ...period, from: 1 })),
    ],
    ready: withHeron,
    refusals,
  },
}
