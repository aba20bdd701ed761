/** The endpoints of the account's settings, which the original API does not have. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import {
  SessionView,
  SettingsChanges,
  SettingsChangeView,
  SettingsView,
} from "../wire/AccountSchemas.js"
import { PageOf } from "../wire/Schemas.js"
import { Authorization, Malformations } from "./Caller.js"
import { beside, IdempotencyKey, One } from "./EndpointParts.js"
import * as Query from "./Query.js"
import { always, Conflicting, Invalid, ofBody } from "./RefusalSchemas.js"

export const viewSettings = HttpApiEndpoint.get("view", "/settings", {
  success: One(SettingsView),
  error: always,
}).annotateMerge(
  beside(
    "viewSettings",
    "View the settings",
    "Those that are in force: what the account has chosen, and for the rest what whoever runs the service has",
  ),
)

export const viewSession = HttpApiEndpoint.get("session", "/session", {
  success: One(SessionView),
  error: always,
}).annotateMerge(
  beside(
    "viewSession",
    "View the session",
    "Who the access token belongs to, and what it may be used for",
  ),
)

export const changeSettings = HttpApiEndpoint.put("change", "/settings", {
  headers: IdempotencyKey,
  payload: SettingsChanges,
  success: One(SettingsView),
  error: [...always, ...ofBody, Conflicting],
}).annotateMerge(
  beside(
    "changeSettings",
    "Change the settings",
    "They count for sales that are recorded from then on, and for payouts that are opened or closed from then on; recorded sales keep their policy. The same change again has no effect",
  ),
)

export const listSettingsChanges = HttpApiEndpoint.get("changes", "/settings/changes", {
  query: Query.Page,
  success: PageOf(SettingsChangeView),
  error: [...always, Invalid],
}).annotateMerge(
  beside(
    "listSettingsChanges",
    "List changes of the settings",
    "The latest first: who changed what, and what was in force at a time",
  ),
)

export class SettingsEndpoints extends HttpApiGroup.make("settings")
  .add(viewSession, viewSettings, changeSettings, listSettingsChanges)
  .middleware(Malformations)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({
      title: "Settings",
      description: "How the service treats the account",
    }),
  ) {}
