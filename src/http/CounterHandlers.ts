/** Handling requests about counters. */
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as Page from "../pagination/Page.js"
import type { StoredCounter } from "../ports/CounterStore.js"
import { AccountCounters } from "../service/AccountCounters.js"
import * as Counters from "../terms/Counters.js"
import type { CounterView } from "../wire/CounterSchemas.js"
import { write as writePage } from "../wire/Page.js"
import { Api } from "./Api.js"
import { respond } from "./Endpoint.js"
import { pageOf } from "./Query.js"

type WrittenCounter = (typeof CounterView)["Type"]

/** `remainder/USD/store` or `remainder/USD/group/g1`. */
const writeRemainder = ({ key, count }: StoredCounter): WrittenCounter => {
  const [, currency = "", whose, ...id] = key.split("/")
  const about = { key, count, counted: "remainder", currency, period: null } as const
  return whose === "group"
    ? { ...about, per: "group", id: id.join("/") }
    : { ...about, per: "store", id: null }
}

const write = (stored: StoredCounter): WrittenCounter => {
  const counter = Counters.read(stored.key)
  return counter === undefined ? writeRemainder(stored) : { ...stored, ...counter }
}

export const layer = HttpApiBuilder.group(
  Api,
  "counters",
  Effect.fnUntraced(function* (handlers) {
    const counters = yield* AccountCounters
    return handlers.handle("list", (call) =>
      respond(
        call,
        Effect.fnUntraced(function* ({ accountId, url }) {
          const page = pageOf(call.query)
          const { entries, total } = yield* counters.list(accountId, page)
          const meta = Page.meta(total, page, { path: url })
          return writePage({ data: entries, meta }, write)
        }),
      ),
    )
  }),
)
