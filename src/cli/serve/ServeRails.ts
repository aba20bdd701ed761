/** The rails of the command line, for the API: they are paid by files, which `apportion payouts` writes and reads. */
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { paymentRails, RailUnclear } from "../../ports/PaymentRail.js"
import { fileRails } from "../payouts/FileRail.js"

/** The service never asks these rails for an outcome, because they are paid by files. */
const unclear = (rail: string, key: string) =>
  Effect.fail(RailUnclear.of(rail, key, "its payments are in files"))

/** The rails for which payouts can be claimed. */
export const layer: Layer.Layer<never> = paymentRails(
  fileRails.map(({ name, terms }) => ({
    ...{ name, terms },
    send: ({ key }) => unclear(name, key),
    find: (key) => unclear(name, key),
  })),
)
