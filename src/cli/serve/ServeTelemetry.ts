/** Sends the log, the metrics and the spans of the services to a collector, by OTLP over HTTP. */
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpMiddleware from "effect/http/HttpMiddleware"
import * as Layer from "effect/Layer"
import * as Otlp from "effect/observability/Otlp"
import manifest from "../../../package.json" with { type: "json" }

/** Spans of requests would reveal addresses, queries and the URLs of webhooks; the services have their own spans. */
const withoutRequests = Layer.merge(
  Layer.succeed(HttpMiddleware.TracerDisabledWhen)(() => true),
  Layer.succeed(HttpClient.TracerDisabledWhen)(() => true),
)

/** Sends telemetry to the collector at a URL, periodically and at the end. */
export const layer = (baseUrl: string): Layer.Layer<never> => {
  const resource = { serviceName: "apportion", serviceVersion: manifest.version }
  const otlp = Otlp.layerJson({ baseUrl, resource }).pipe(Layer.provide(FetchHttpClient.layer))
  return Layer.merge(otlp, withoutRequests)
}
