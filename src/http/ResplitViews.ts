/** Re-splits of past sales, as requests and answers write them. */
import * as Result from "effect/Result"
import { within } from "../internal/problems.js"
import * as reader from "../internal/reader.js"
import type { Problem } from "../Problem.js"
import type { TimeRange } from "../ports/PayoutStore.js"
import type { ResplitRequest, ResplitRun, ResplitTotal, SalePlace } from "../ports/ResplitStore.js"
import type {
  NewResplit,
  RefusedSale,
  ResplitExample,
  ResplitPreview,
} from "../service/Resplits.js"
import type * as Explanation from "../shares/Explanation.js"
import * as CountedRules from "../terms/CountedRules.js"
import type { Unreadable } from "../Unreadable.js"
import * as Group from "../wire/Group.js"
import * as Policy from "../wire/Policy.js"
import type * as Schemas from "../wire/ResplitSchemas.js"
import { rangeOf } from "./Query.js"
import { writeItem } from "./SaleViews.js"

// Requests. No field may be misspelt: without one of these, more sales would be split again.

const what = "re-split"

const chosenFields = [
  ...["collaborator", "product", "recorded_from", "recorded_to", "sold_from", "sold_to"],
  ...["order_ids", "completes", "groups", "policy"],
]

const readRange = (node: reader.Node, name: string): TimeRange | undefined =>
  rangeOf(reader.time(node, `${name}_from`), reader.time(node, `${name}_to`))

/** Other readers ignore an empty id: here it would mean all sales. */
const readId = (node: reader.Node, key: string): string | undefined =>
  reader.field(node, key) === undefined ? undefined : reader.neededId(node, key)

/** Reads a part with another reader, and adds its path to the problems. */
const partOf = <A>(
  node: reader.Node,
  read: Result.Result<A, { readonly problems: ReadonlyArray<Problem> }>,
  key: string,
): A | undefined => {
  if (Result.isSuccess(read)) return read.success
  node.problems.push(...read.failure.problems.map((one) => within(key, one)))
  return undefined
}

/** Rules in place of those of the account: each has an id, which is used once. */
const readGroups = (node: reader.Node): ResplitRequest["groups"] => {
  const nodes = reader.children(node, "groups")
  const groups = nodes?.flatMap(
    ({ fields, path }) => partOf(node, Group.read(fields, { requireValues: true }), path) ?? [],
  )
  if (groups === undefined || groups.length < (nodes?.length ?? 0)) return undefined
  return partOf(node, CountedRules.parse(groups), "groups")?.counted.map(({ terms, ...group }) =>
    terms === null ? group : { ...group, terms },
  )
}

/** The zone is the account's: months of past sales stay as they are. */
const readPolicy = (node: reader.Node): ResplitRequest["policy"] => {
  const given = reader.child(node, "policy")
  if (given === undefined) return undefined
  if (reader.field(given, "time_zone") !== undefined) {
    reader.note(given, "time_zone", "is the account's, and no part of a re-split")
  }
  const { time_zone: _, ...fields } = given.fields
  return partOf(node, Policy.read(fields, { carries: true }), "policy")?.policy
}

const readChosen = (node: reader.Node): ResplitRequest => ({
  sales: {
    collaboratorId: readId(node, "collaborator"),
    productId: readId(node, "product"),
    recorded: readRange(node, "recorded"),
  },
  sold: readRange(node, "sold"),
  orderIds: reader.ids(node, "order_ids"),
  completes: reader.flag(node, "completes"),
  groups: readGroups(node),
  policy: readPolicy(node),
})

interface AskedPreview {
  readonly request: ResplitRequest
  readonly biggest: number | undefined
}

/** Reads the request of a preview. */
export const readPreview = (body: unknown): Result.Result<AskedPreview, Unreadable> =>
  reader.read(body, {
    what,
    known: [...chosenFields, "biggest"],
    read: (node) => ({
      request: readChosen(node),
      biggest: reader.whole(node, "biggest", 0),
    }),
  })

/** Reads a proposal; it has an id, so that it can be repeated. */
export const readNew = (body: unknown): Result.Result<NewResplit, Unreadable> =>
  reader.read(body, {
    what,
    known: ["id", "reason", ...chosenFields],
    read: (node) => ({
      id: reader.neededId(node, "id"),
      reason: reader.text(node, "reason"),
      ...readChosen(node),
    }),
  })

const aDigest = "the digest of a preview"

/** Reads an approval. */
export const readApproval = (
  body: unknown,
): Result.Result<{ readonly digest: string }, Unreadable> =>
  reader.read(body, {
    what,
    known: ["digest"],
    read: (node) => {
      if (reader.field(node, "digest") === undefined) reader.refuse(node, "digest", aDigest)
      return { digest: reader.text(node, "digest") ?? "" }
    },
  })

// Answers.

const writePlace = ({ orderId, part }: SalePlace) => ({ order_id: orderId, part })

const writeTotal = ({ collaboratorId, ...total }: ResplitTotal) => ({
  collaborator_id: collaboratorId,
  currency: total.currency,
  month: total.month,
  before: total.before,
  after: total.after,
  difference: total.difference,
})

const writeExplained = ({ items }: Explanation.Explanation, text: string) => ({
  explanation: items.map(writeItem),
  text,
})

const writeExample = (example: ResplitExample) => ({
  ...writePlace(example),
  currency: example.currency,
  month: example.month,
  differences: example.differences.map(({ collaboratorId, difference }) => ({
    collaborator_id: collaboratorId,
    difference,
  })),
  refunds: example.refunds,
  before: writeExplained(example.before, example.texts.before),
  after: writeExplained(example.after, example.texts.after),
})

const writeRefused = ({ error, ...place }: RefusedSale) => ({
  ...writePlace(place),
  message: error.message,
})

/** Writes what a re-split would change. */
export const writePreview = (
  preview: ResplitPreview,
): (typeof Schemas.ResplitPreviewView)["Type"] => ({
  digest: preview.digest,
  sales: preview.sales,
  changed: preview.changed,
  totals: preview.totals.map(writeTotal),
  refused: preview.refused.map(writeRefused),
  biggest: preview.biggest.map(writeExample),
})

const writeRequest = ({ sales = {}, sold, ...request }: ResplitRequest) => ({
  collaborator: sales.collaboratorId ?? null,
  product: sales.productId ?? null,
  recorded_from: sales.recorded?.from ?? null,
  recorded_to: sales.recorded?.to ?? null,
  sold_from: sold?.from ?? null,
  sold_to: sold?.to ?? null,
  order_ids: request.orderIds ?? null,
  completes: request.completes ?? false,
  has_groups: request.groups !== undefined,
  has_policy: request.policy !== undefined,
})

/** Writes a run of a re-split. */
export const writeRun = (run: ResplitRun): (typeof Schemas.ResplitView)["Type"] => ({
  id: run.id,
  reason: run.reason,
  status: run.status,
  request: writeRequest(run.request),
  digest: run.digest,
  sales: run.sales,
  changed: run.changed,
  totals: run.totals.map(writeTotal),
  proposed_at: run.proposedAt,
  proposed_by: run.proposedBy,
  approved_at: run.approvedAt,
  approved_by: run.approvedBy,
  booked_at: run.bookedAt,
  batches: run.batches,
  booked_batches: run.bookedBatches,
  adjusted: run.adjusted,
  left_out: run.leftOut.map(writePlace),
})
