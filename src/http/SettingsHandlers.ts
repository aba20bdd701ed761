/** Handling requests about the account's settings. */
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as Result from "effect/Result"
import { snakeCase } from "../internal/names.js"
import { within } from "../internal/problems.js"
import * as reader from "../internal/reader.js"
import * as Page from "../pagination/Page.js"
import type { SettingsChange, SettingsInForce } from "../ports/SettingsStore.js"
import { tokenScopes } from "../ports/Tokens.js"
import {
  AccountSettings,
  type SettingsChanges,
  type ViewedSettings,
} from "../service/AccountSettings.js"
import { Actor } from "../service/Actor.js"
import { defaults, type SplitPolicy } from "../shares/SplitPolicy.js"
import type { Unreadable } from "../Unreadable.js"
import { write as writePage } from "../wire/Page.js"
import * as Policy from "../wire/Policy.js"
import { Api } from "./Api.js"
import { respond } from "./Endpoint.js"
import { respondOnce } from "./Once.js"
import { pageOf } from "./Query.js"

const changeable = ["policy", "maturity_days"]

const options = Object.keys(Policy.write({ policy: defaults, timeZone: "UTC" }))

const isNull = (value: unknown): boolean => value === null

/** The given options: `null` goes back to the host's value. */
const readPolicy = (node: reader.Node): Pick<SettingsChanges, "policy" | "timeZone"> => {
  if (isNull(node.fields["policy"])) return { policy: null, timeZone: null }
  const given = reader.child(node, "policy")
  if (given === undefined) return {}
  const chosen = Object.entries(given.fields).filter(([, value]) => !isNull(value))
  const read = Policy.read(Object.fromEntries(chosen), { carries: true })
  const cleared = Object.keys(given.fields).filter((name) => isNull(given.fields[name]))
  for (const name of cleared) {
    if (!options.includes(name)) reader.note(given, name, "is no option of a policy")
  }
  if (Result.isFailure(read)) {
    node.problems.push(...read.failure.problems.map((one) => within("policy", one)))
    return {}
  }
  const { policy, timeZone } = read.success
  const said = <A>(name: string, value: A): A | null | undefined => {
    const field = given.fields[name]
    return field === undefined ? undefined : isNull(field) ? null : value
  }
  const option = <Name extends keyof SplitPolicy>(name: Name) => said(snakeCase(name), policy[name])
  return {
    policy: {
      ...{ discount: option("discount"), tax: option("tax"), cost: option("cost") },
      ...{ gatewayFee: option("gatewayFee"), flatScope: option("flatScope") },
      ...{ shipping: option("shipping"), stacking: option("stacking") },
      ...{ rounding: option("rounding"), overAllocation: option("overAllocation") },
    } satisfies Readonly<Record<keyof SplitPolicy, unknown>>,
    timeZone: said("time_zone", timeZone),
  }
}

/** Reads a change of settings; a field that an account can't change would have no effect. */
const readChanges = (body: unknown): Result.Result<SettingsChanges, Unreadable> =>
  reader.read(body, {
    what: "settings",
    read: (node) => {
      for (const name of Object.keys(node.fields)) {
        if (changeable.includes(name)) continue
        const message = `can't be changed by an account, which can change ${changeable.join(" and ")}`
        reader.note(node, name, message)
      }
      const days = reader.parsed(node, "maturity_days", {
        parse: (value) => (isDays(value) ? value : undefined),
        expected: "a whole number from 0 to 3650",
      })
      const maturityDays = isNull(node.fields["maturity_days"]) ? null : days
      return { ...readPolicy(node), maturityDays }
    },
  })

const isDays = (value: unknown): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 3_650

const writeForce = (settings: SettingsInForce) => ({
  policy: Policy.write(settings),
  maturity_days: settings.maturityDays,
})

const write = ({ settings, version, since }: ViewedSettings) => ({
  data: {
    ...writeForce(settings),
    payment_fees: settings.paymentFees,
    group_values: settings.groupValues,
    event_days: settings.eventDays,
    idempotency_seconds: settings.idempotencySeconds,
    ...{ version, since },
  },
})

const writeChange = ({ version, since, actor, before, after }: SettingsChange) => ({
  ...{ version, since, actor },
  before: writeForce(before),
  after: writeForce(after),
})

export const layer = HttpApiBuilder.group(
  Api,
  "settings",
  Effect.fnUntraced(function* (handlers) {
    const settings = yield* AccountSettings
    return handlers
      .handle("view", (call) =>
        respond(call, ({ accountId }) => Effect.map(settings.get(accountId), write)),
      )
      .handle("session", (call) =>
        respond(
          call,
          Effect.fnUntraced(function* ({ accountId, scopes = tokenScopes }) {
            const { settings: inForce } = yield* settings.get(accountId)
            return { data: { actor: yield* Actor, scopes, time_zone: inForce.timeZone } }
          }),
        ),
      )
      .handle("changes", (call) =>
        respond(
          call,
          Effect.fnUntraced(function* ({ accountId, url }) {
            const page = pageOf(call.query)
            const { entries, total } = yield* settings.list(accountId, page)
            const meta = Page.meta(total, page, { path: url })
            return writePage({ data: entries, meta }, writeChange)
          }),
        ),
      )
      .handleRaw("change", (call) =>
        respondOnce(
          call,
          Effect.fnUntraced(function* ({ accountId, body }) {
            const changes = yield* Effect.fromResult(readChanges(body))
            return write(yield* settings.change(accountId, changes))
          }),
        ),
      )
  }),
)
