/** Sends events to webhook endpoints while the API is served. */
import { lookup } from "node:dns/promises"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import type { Storage } from "../../ports/Storage.js"
import type { Events } from "../../service/Events.js"
import { WebhookDelivery } from "../../service/WebhookDelivery.js"

/**
 * Which hosts webhooks are sent to: `off`, none; `public`, hosts of the internet by https; `any`, also by http, and to
 * this machine and its network.
 */
export type WebhookTargets = "off" | "public" | "any"

export const webhookTargets: ReadonlyArray<WebhookTargets> = ["off", "public", "any"]

/** The problem of an invalid `--webhooks`. */
export const targetsProblem = (got: string): string =>
  `--webhooks: must be one of ${webhookTargets.join(", ")}, got "${got}"`

/** The addresses of a name; empty when it has none, and then the request itself fails. */
const resolve = (host: string): Effect.Effect<ReadonlyArray<string>> =>
  Effect.promise(() =>
    lookup(host, { all: true }).then(
      (found) => found.map(({ address }) => address),
      () => [],
    ),
  )

/** Sends waiting events until the layer is closed. */
export const layer = (
  targets: Exclude<WebhookTargets, "off">,
): Layer.Layer<WebhookDelivery, never, Storage | Events> =>
  WebhookDelivery.layer(targets === "public" ? { resolve } : {}).pipe(
    Layer.provide(FetchHttpClient.layer),
  )
