import { Effect, Logger } from "effect"
import { SqlError } from "effect/sql/SqlError"
import { describe, expect, it } from "vitest"
import { reasonOf, storageErrorOf } from "../../src/sql/internal/Session.js"

describe("what logs have of an error of the database", () => {
  const logged = async (facts: object) => {
    const thrown = Object.assign(new RangeError("failed"), facts)
    const error = new SqlError({ reason: reasonOf(thrown) })
    const lines: Array<string> = []
    const layer = Logger.layer([Logger.map(Logger.formatJson, (line) => lines.push(line))])
    const log = Effect.logError("request failed", storageErrorOf("insert a collaborator", error))
    await Effect.runPromise(Effect.provide(log, layer))
    return lines.join()
  }

  it("is its code, its place and its message, and no row", async () => {
    const message = 'new row for relation "collaborators" violates check constraint "named"'
    const detail = "Failing row contains (north, Zelda, zelda@example.com)."
    const where = "unnamed portal parameter $3 = 'zelda@example.com'"
    const place = { table: "collaborators", constraint: "named" }
    const line = await logged({ code: "23514", message, detail, where, ...place })
    expect(line).toContain('"code":"23514","table":"collaborators"')
    expect(line).toContain('violates check constraint \\"named\\"')
    expect(line).not.toMatch(/zelda/i)
  })

  it("has no value that the message quotes", async () => {
    const message = 'invalid input syntax for type bigint: "Zelda "the" Quux"'
    const line = await logged({ code: "22P02", message })
    expect(line).toContain("invalid input syntax for type bigint")
    expect(line).not.toMatch(/zelda|quux/i)
  })
})
