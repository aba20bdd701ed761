/** Handling requests about the rules of an account as a whole. */
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as Result from "effect/Result"
import type { Finding } from "../analysis/Check.js"
import { misspelt } from "../internal/fieldNames.js"
import { within } from "../internal/problems.js"
import * as reader from "../internal/reader.js"
import * as Page from "../pagination/Page.js"
import type { ProductGroup } from "../rules/ProductGroup.js"
import {
  AccountRules,
  type AccountRulesService,
  type BacktestOptions,
  type DraftBacktest,
  type DraftFindings,
  type DraftPreview,
  type GroupDraft,
  type OwnedGroup,
} from "../service/AccountRules.js"
import * as Group from "../wire/Group.js"
import { write as writePage } from "../wire/Page.js"
import type * as Schemas from "../wire/RulesSchemas.js"
import { Api } from "./Api.js"
import { respond } from "./Endpoint.js"
import { pageOf } from "./Query.js"

// Groups, with all fields.

/** The fields of a group's request, with at most so many values; who it pays and when it was made stand beside them. */
const writeFields = (group: ProductGroup, most: number) => {
  const { id: _, collaborator_id: __, created_at: ___, ...fields } = Group.writeRequest(group)
  const { items, splitConditions } = fields
  return { ...fields, items: items.slice(0, most), splitConditions: splitConditions.slice(0, most) }
}

const writeOwned = (
  { group, collaborator, updatedAt, productsCount }: OwnedGroup,
  most = Number.POSITIVE_INFINITY,
) => ({
  id: group.id,
  collaborator: { id: collaborator.id, name: collaborator.account.name ?? null },
  group: writeFields(group, most),
  products_count: productsCount,
  created_at: group.createdAt,
  updated_at: updatedAt,
})

/** How many values of a group a list shows. */
const listedValues = 20

const writeListed = (owned: OwnedGroup): (typeof Schemas.ListedOwnedGroup)["Type"] => ({
  ...writeOwned(owned, listedValues),
  items_count: owned.group.link.values.length,
  split_conditions_count: owned.group.condition?.values.length ?? 0,
})

// Drafts. No field may be misspelt: without one of these the draft would be another group.

const known = ["collaborator_id", "group_id", "group"]

interface AskedDraft extends Omit<GroupDraft, "group"> {
  /** The fields of the group; `null`: it would be removed. */
  readonly fields: reader.Node["fields"] | null
}

const readDraft = (node: reader.Node): AskedDraft => {
  const given = node.fields["group"]
  const child = given === null ? undefined : reader.child(node, "group")
  if (given === undefined) reader.refuse(node, "group", "a product group, or null")
  const isNew = reader.field(node, "group_id") === undefined
  return {
    collaboratorId: reader.neededId(node, "collaborator_id"),
    groupId: isNew ? null : reader.neededId(node, "group_id"),
    fields: child?.fields ?? null,
  }
}

const what = "draft of a product group"

const readPreview = (body: unknown) => reader.read(body, { what, known, read: readDraft })

const readBacktest = (body: unknown) =>
  reader.read(body, {
    what,
    known: [...known, "from", "until", "most"],
    read: (node) => {
      const [from, until] = [reader.time(node, "from"), reader.time(node, "until")]
      if (from !== undefined && until !== undefined && from >= until) {
        reader.note(node, "from", `must be before until, which is ${until}, got ${from}`)
      }
      const most = reader.whole(node, "most", 1)
      return { draft: readDraft(node), options: { from, until, most } satisfies BacktestOptions }
    },
  })

/** The draft as the service takes it: fields that are absent stay as they are in the group that it replaces. */
const draftOf = (rules: AccountRulesService, accountId: string, asked: AskedDraft) =>
  Effect.gen(function* () {
    const { collaboratorId, groupId, fields } = asked
    if (fields === null) return { collaboratorId, groupId, group: null }
    const before = groupId === null ? undefined : (yield* rules.get(accountId, groupId)).group
    const read =
      before === undefined
        ? Group.read(fields, { id: "new", collaboratorId, requireValues: true })
        : Group.merge(before, fields)
    const problems = [
      ...misspelt(fields, Group.fields),
      ...(Result.isFailure(read) ? read.failure.problems : []),
    ]
    if (Result.isFailure(read) || problems.length > 0) {
      return yield* Effect.fail(
        reader.unreadable(
          what,
          problems.map((one) => within("group", one)),
        ),
      )
    }
    return { collaboratorId, groupId, group: read.success }
  })

// Answers.

const writeFinding = ({ rule, severity, message, groupIds, agreementIds = [] }: Finding) => ({
  ...{ rule, severity, message },
  group_ids: groupIds,
  agreement_ids: agreementIds,
})

/** What the linter says of a draft. */
export const writeFindings = ({ checked, findings, gone }: DraftFindings) => ({
  checked,
  findings: findings.map(({ isNew, ...finding }) => ({
    ...writeFinding(finding),
    is_new: isNew,
  })),
  gone: gone.map(writeFinding),
})

const writePreview = (preview: DraftPreview): (typeof Schemas.DraftPreviewView)["Type"] => ({
  group_id: preview.groupId,
  products_count: preview.products?.count ?? null,
  products_are_whole: preview.products?.isWhole ?? true,
  products_before: preview.productsBefore,
  products: (preview.products?.examples ?? []).map(({ id, name }) => ({ id, name: name ?? null })),
  ...writeFindings(preview),
})

const writeBacktest = (found: DraftBacktest): (typeof Schemas.DraftBacktestView)["Type"] => ({
  from: found.from,
  until: found.until,
  time_zone: found.timeZone,
  sales: found.sales,
  changed: found.changed,
  is_whole: found.isWhole,
  totals: found.totals.map(({ collaboratorId, currency, before, after, difference }) => ({
    ...{ currency, collaborator_id: collaboratorId, before, after, difference },
  })),
  biggest: found.biggest.map(({ orderId, part, currency, differences, ...texts }) => ({
    ...{ order_id: orderId, part, currency },
    differences: differences.map(({ collaboratorId, difference }) => ({
      collaborator_id: collaboratorId,
      difference,
    })),
    ...{ before_text: texts.beforeText, after_text: texts.afterText },
  })),
  refused: found.refused.map(({ orderId, part, error }) => ({
    ...{ order_id: orderId, part, message: error.message },
  })),
})

export const layer = HttpApiBuilder.group(
  Api,
  "rules",
  Effect.fnUntraced(function* (handlers) {
    const rules = yield* AccountRules
    return handlers
      .handle("list", (call) =>
        respond(
          call,
          Effect.fnUntraced(function* ({ accountId, url }) {
            const page = pageOf(call.query)
            const { collaborator: collaboratorId, search } = call.query
            const found = yield* rules.list(accountId, { collaboratorId, search }, page)
            const meta = Page.meta(found.total, page, { path: url })
            return writePage({ data: found.entries, meta }, writeListed)
          }),
        ),
      )
      .handle("view", (call) =>
        respond(call, ({ accountId }) =>
          Effect.map(rules.get(accountId, call.params.group_id), (owned) => ({
            data: writeOwned(owned),
          })),
        ),
      )
      .handleRaw("preview", (call) =>
        respond(
          call,
          Effect.fnUntraced(function* ({ accountId, body }) {
            const asked = yield* Effect.fromResult(readPreview(body))
            const draft = yield* draftOf(rules, accountId, asked)
            return { data: writePreview(yield* rules.preview(accountId, draft)) }
          }),
        ),
      )
      .handleRaw("backtest", (call) =>
        respond(
          call,
          Effect.fnUntraced(function* ({ accountId, body }) {
            const { draft: asked, options } = yield* Effect.fromResult(readBacktest(body))
            const draft = yield* draftOf(rules, accountId, asked)
            return { data: writeBacktest(yield* rules.backtest(accountId, draft, options)) }
          }),
        ),
      )
  }),
)
