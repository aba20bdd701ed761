/**
 * The HTTP API over the services: its definition, its routes for Effect hosts, a handler of requests for
 * all others, its OpenAPI document and a client.
 *
 * @packageDocumentation
 */

export { Api } from "./Api.js"
export { type Client, type ClientOptions, makeClient } from "./Client.js"
export { openApi } from "./Documentation.js"
export { type HttpOptions, InvalidHttpOptions } from "./HttpOptions.js"
export { type ApiServices, layer } from "./Server.js"
export { toWebHandler, type WebHandler } from "./WebHandler.js"
