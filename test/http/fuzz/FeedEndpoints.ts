/** The endpoints of events, webhooks, entries, balances and statements. */
import type { Endpoint } from "./Endpoint.js"

export const feedEndpoints = {} as const satisfies Record<string, Endpoint>
