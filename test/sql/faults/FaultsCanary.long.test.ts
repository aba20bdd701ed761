/** The trials find storages that are wrong: each of these is, in one way. */
import { StorageFailure, type StorageService } from "apportion/ports"
import { Effect } from "effect"
import type { SqlConnection } from "effect/sql"
import { expect, test } from "vitest"
import { clientFor, emptyTables, pglite } from "../databases.js"
import * as Bench from "./Bench.js"
import type { Fault } from "./Fault.js"
import type { FaultyOptions } from "./FaultyClient.js"
import { payoutCalls } from "./PayoutCalls.js"
import { type Choice, everything, findings } from "./Rounds.js"
import { saleCalls } from "./SaleCalls.js"
import { shopCalls } from "./ShopCalls.js"
import type { UseCase } from "./UseCase.js"

type Connection = SqlConnection.Connection
type Sabotage = NonNullable<FaultyOptions["sabotage"]>
type Change = NonNullable<Bench.BenchOptions["change"]>

const client = clientFor(() => pglite)

const named = (name: string): UseCase => {
  const found = [...saleCalls, ...payoutCalls, ...shopCalls].find(
    (useCase) => useCase.name === name,
  )
  if (found === undefined) throw new TypeError(`there is no use case "${name}"`)
  return found
}

const sale = named("a sale is recorded")
const expense = named("an expense is added with an id")
const collaboratorChange = named("a collaborator is changed whose payout is due")

const only =
  (...faults: ReadonlyArray<Fault>): Choice =>
  (place, boundary) =>
    everything(place, boundary).filter((fault) => faults.includes(fault))

/** What is found wrong with a storage. */
const problemsOf = (
  useCase: UseCase,
  choose: Choice,
  options: { readonly sabotage?: Sabotage; readonly change?: Change } = {},
) =>
  Effect.runPromise(
    Effect.gen(function* () {
      const bench = yield* Bench.make(client(), { places: 1, ...options })
      yield* emptyTables(client())
      const { problems } = yield* findings(bench, useCase, choose)
      // What a wrong storage leaves behind is not for the next test.
      yield* Effect.ignore(client().unsafe("ROLLBACK"))
      return problems
    }),
  )

const reportOf = (...given: Parameters<typeof problemsOf>) =>
  problemsOf(...given).then((problems) => problems.join("\n"))

const ask = (connection: Connection, statement: string) =>
  connection.executeUnprepared(statement, [], undefined)

/** A connection on which something else is done when a statement comes. */
const instead =
  (
    change: (
      connection: Connection,
      statement: string,
      asked: ReturnType<Connection["execute"]>,
    ) => ReturnType<Connection["execute"]>,
  ): Sabotage =>
  (connection) => ({
    ...connection,
    execute: (statement, parameters, transform) =>
      change(connection, statement, connection.execute(statement, parameters, transform)),
    executeUnprepared: (statement, parameters, transform) =>
      change(connection, statement, connection.executeUnprepared(statement, parameters, transform)),
  })

test("nothing is found wrong with the storage as it is", async () => {
  expect(await problemsOf(expense, only("error before", "dead after"))).toEqual([])
})

test("a storage that commits in the middle is found", async () => {
  const sabotage = instead((connection, statement, asked) =>
    statement.includes("INSERT INTO apportion.payouts")
      ? Effect.andThen(Effect.andThen(ask(connection, "COMMIT"), ask(connection, "BEGIN")), asked)
      : asked,
  )
  expect(await reportOf(sale, only("error before"), { sabotage })).toMatch(/\n\+ /)
})

test("a storage that keeps the history of what it takes back is found", async () => {
  const kept: Array<ReturnType<Connection["execute"]>> = []
  const sabotage = instead((_connection, statement, asked) => {
    if (statement.includes("INSERT INTO apportion.payout_ledger")) kept.push(asked)
    if (statement === "COMMIT") kept.splice(0)
    return statement === "ROLLBACK"
      ? Effect.tap(asked, () =>
          Effect.forEach(kept.splice(0), (write) => Effect.ignore(write), { discard: true }),
        )
      : asked
  })
  expect(await reportOf(expense, only("error before"), { sabotage })).toMatch(/\n\+ payout_ledger /)
})

test("a storage that does not roll back is found", async () => {
  const sabotage = instead((_connection, statement, asked) =>
    statement === "ROLLBACK" ? Effect.succeed([]) : asked,
  )
  expect(await reportOf(expense, only("error before"), { sabotage })).toMatch(/\n\+ payout_ledger /)
})

test("a storage that tells of success when it could not commit is found", async () => {
  const change: Change = (storage): StorageService => ({
    ...storage,
    transaction: (accountId, work, options) => {
      const done: Array<Effect.Success<ReturnType<typeof work>>> = []
      const noting: typeof work = (stores) =>
        Effect.tap(work(stores), (answer) => Effect.sync(() => done.push(answer)))
      return Effect.catchIf(
        storage.transaction(accountId, noting, options),
        (error): error is StorageFailure => error instanceof StorageFailure && done.length > 0,
        (error) => {
          const [answer] = done
          return answer === undefined ? Effect.fail(error) : Effect.succeed(answer)
        },
      )
    },
  })
  expect(await reportOf(expense, only("dead before"), { change })).toMatch(/\n- payout_ledger /)
})

test("a storage that tries again when it does not know whether it committed is found", async () => {
  const change: Change = (storage): StorageService => ({
    ...storage,
    transaction: (accountId, work, options) =>
      Effect.retry(storage.transaction(accountId, work, options), {
        while: (error) => error instanceof StorageFailure,
        times: 1,
      }),
  })
  expect(await reportOf(collaboratorChange, only("dead after"), { change })).toMatch(
    /after 2 transactions/,
  )
})

test("a storage that dies where it should fail is found", async () => {
  const change: Change = (storage): StorageService => ({
    ...storage,
    transaction: (accountId, work, options) =>
      Effect.catchIf(
        storage.transaction(accountId, work, options),
        (error): error is StorageFailure => error instanceof StorageFailure,
        (error) => Effect.die(error),
      ),
  })
  expect(await reportOf(expense, only("error after"), { change })).toMatch(/it died: /)
})
