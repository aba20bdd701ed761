/** The policy and exchange rates of a long-running process, from the files that its flags name. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ExchangeRates } from "../../ports/ExchangeRates.js"
import { settingsLayer } from "../../service/Settings.js"
import * as Rates from "../input/Rates.js"
import * as Rules from "../input/Rules.js"
import type { Source } from "../input/Sources.js"
import type { WebhookTargets } from "./ServeWebhooks.js"

/** The files. */
export interface SettingsFiles {
  readonly policy: Source | undefined
  readonly rates: Source | undefined
}

/** The settings that are flags. */
export interface SettingsFlags {
  readonly webhooks: WebhookTargets
  readonly maturityDays: number
  /** 0 when absent: everything is kept for ever. */
  readonly historyMonths?: number
}

/** Reads the files. */
export const read = async (
  { policy: source, rates }: SettingsFiles,
  { webhooks, maturityDays, historyMonths = 0 }: SettingsFlags,
  note: (message: string) => void,
): Promise<{
  readonly settings: Layer.Layer<never>
  readonly rates: Layer.Layer<ExchangeRates>
}> => {
  const { policy, timeZone } = await Rules.readPolicy(source, note, { carries: true })
  const rateAt = await Rates.read(rates, { timeZone, note })
  const webhookTargets = webhooks === "any" ? "any" : "public"
  return {
    settings: Layer.orDie(
      settingsLayer({ policy, timeZone, maturityDays, historyMonths, webhookTargets }),
    ),
    rates:
      rateAt === undefined
        ? ExchangeRates.none
        : Layer.succeed(ExchangeRates, {
            rate: ({ from, to, at }) => Effect.succeed(rateAt(from, to, at)),
          }),
  }
}
