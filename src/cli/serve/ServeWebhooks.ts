/** Sending events to webhook endpoints, as long as the API is served. */
import { lookup } from "node:dns/promises"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import type { Storage } from "../../ports/Storage.js"
import type { Events } from "../../service/Events.js"
import { WebhookDelivery } from "../../service/WebhookDelivery.js"

/**
 * Where webhooks are sent to: nowhere; by https to hosts of the internet; or also by http and to this machine and its
 * network.
 */
export type WebhookTargets = "off" | "public" | "any"

export const webhookTargets: ReadonlyArray<WebhookTargets> = ["off", "public", "any"]

/** What is wrong with what `--webhooks` says. */
export const targetsProblem = (got: string): string =>
  `--webhooks: must be one of ${webhookTargets.join(", ")}, got "${got}"`

/** The addresses of a name; none when it has none, which the request itself then finds out. */
const resolve = (host: string): Effect.Effect<ReadonlyArray<string>> =>
  Effect.promise(() =>
    lookup(host, { all: true }).then(
      (found) => found.map(({ address }) => address),
      () => [],
    ),
  )

/** Sends what waits, until the layer ends. */
export const layer = (
  targets: Exclude<WebhookTargets, "off">,
): Layer.Layer<WebhookDelivery, never, Storage | Events> =>
  WebhookDelivery.layer(targets === "public" ? { resolve } : {}).pipe(
    Layer.provide(FetchHttpClient.layer),
  )
