/** Handling requests for overviews of what was sold. */
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import {
  type CurrencyOverview,
  type Overview,
  type OverviewFigures,
  Overviews,
} from "../service/Overviews.js"
import type * as Schemas from "../wire/OverviewSchemas.js"
import { Api } from "./Api.js"
import { respond } from "./Endpoint.js"

const writeFigures = ({ sales, refunds, cameIn, shares, store }: OverviewFigures) => ({
  ...{ sales, refunds, came_in: cameIn, shares, store },
})

const writeCurrency = ({
  currency,
  months,
  collaborators,
  others,
  ...figures
}: CurrencyOverview) => ({
  currency,
  ...writeFigures(figures),
  months: months.map(({ month, ...ofMonth }) => ({ month, ...writeFigures(ofMonth) })),
  collaborators: collaborators.map((one) => ({
    collaborator_id: one.collaboratorId,
    collaborator_name: one.name ?? null,
    amount: one.amount,
    months: one.months,
  })),
  others:
    others === null
      ? null
      : { collaborators: others.count, amount: others.amount, months: others.months },
})

const write = (overview: Overview): (typeof Schemas.OverviewView)["Type"] => ({
  from: overview.from,
  until: overview.until,
  time_zone: overview.timeZone,
  first_sale_at: overview.firstSaleAt,
  last_sale_at: overview.lastSaleAt,
  currencies: overview.currencies.map(writeCurrency),
})

export const layer = HttpApiBuilder.group(
  Api,
  "overview",
  Effect.fnUntraced(function* (handlers) {
    const overviews = yield* Overviews
    return handlers.handle("view", (call) =>
      respond(call, ({ accountId }) => {
        const { from, until, time_zone: timeZone, collaborators } = call.query
        const asked = overviews.of(accountId, { from, until, timeZone, collaborators })
        return Effect.map(asked, (overview) => ({ data: write(overview) }))
      }),
    )
  }),
)
