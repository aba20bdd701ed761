// What benches of recording have in common: an account whose products are shared, and services whose statements are seen.
import { Effect, Layer, Logger, ManagedRuntime } from "effect"
import { SqlClient } from "effect/sql"
import { ExchangeRates } from "../../dist/ports/index.js"
import { Collaborators, ProductGroups, servicesLayer } from "../../dist/service/index.js"
import { SqlStorage } from "../../dist/sql/index.js"
import { groups } from "./orders.mjs"

export const setUp = (accountId) =>
  Effect.gen(function* () {
    for (const { collaboratorId, ...group } of groups) {
      yield* (yield* Collaborators).create(accountId, { id: collaboratorId, currency: "USD" })
      yield* (yield* ProductGroups).create(accountId, collaboratorId, group)
    }
  })

/** A connection whose statements go through `around`, which gets what asks and the statement's text. */
const seenBy = (around) => (connection) =>
  new Proxy(connection, {
    get: (target, name) => {
      const method = Reflect.get(target, name)
      if (name !== "execute" && name !== "executeUnprepared") return method
      return (...args) => around(Reflect.apply(method, target, args), args[0])
    },
  })

/** The client of a layer, with what its storage asks going through `around`. */
export const observed = (client, around) =>
  Layer.effect(
    SqlClient.SqlClient,
    Effect.map(
      SqlClient.SqlClient,
      (sql) =>
        new Proxy(sql, {
          get: (target, name) =>
            name === "reserve"
              ? Effect.map(target.reserve, seenBy(around))
              : Reflect.get(target, name),
        }),
    ),
  ).pipe(Layer.provide(client))

export const runtimeOf = (client) => {
  const storage = Layer.provide(SqlStorage.layer({ migrate: true }), client)
  const services = servicesLayer.pipe(
    Layer.provide(ExchangeRates.none),
    Layer.provideMerge(storage),
  )
  const quiet = Layer.provideMerge(Layer.merge(services, client), Logger.layer([]))
  return ManagedRuntime.make(quiet)
}
