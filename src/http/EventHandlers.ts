/** Handling requests about events. */
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { toJson } from "../events/AccountEvent.js"
import { Events } from "../service/Events.js"
import { Api } from "./Api.js"
import { respond } from "./Endpoint.js"
import { partOf } from "./EventApi.js"

export const layer = HttpApiBuilder.group(
  Api,
  "events",
  Effect.fnUntraced(function* (handlers) {
    const events = yield* Events
    return handlers.handle("list", (call) =>
      respond(
        call,
        Effect.fnUntraced(function* ({ accountId }) {
          const { after, limit } = partOf(call.query)
          const found = yield* events.after(accountId, after, limit)
          // Read afterwards: so it is never below the number of an event in the answer.
          const last = yield* events.last(accountId)
          return { data: found.map(toJson), meta: { limit, last } }
        }),
      ),
    )
  }),
)
