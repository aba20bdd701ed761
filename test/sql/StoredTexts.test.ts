/** Texts in the databases themselves: any of them comes back, and they order and search as code units do. */

import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { toOrdered } from "../../src/internal/orderedText.js"
import { toSearchable } from "../../src/sql/internal/rows.js"
import { isWhole } from "../generators/Runs.js"
import { anyText } from "./AnyText.js"
import { clientFor, emptyStorage, pglite, postgres } from "./databases.js"

const sample = fc.sample(anyText, { numRuns: 1_500, seed: 11 })
const distinct = [...new Set(sample)]

const rows = (sql: SqlClient.SqlClient, statement: string, parameters: ReadonlyArray<unknown>) =>
  Effect.runPromise(sql.unsafe<Record<string, unknown>>(statement, parameters))

const databases = [
  { where: "PGlite", layer: () => pglite },
  { where: "a server", layer: () => postgres("stored_texts") },
]

describe.each(databases)("on $where", ({ layer }) => {
  const client = clientFor(layer)

  test("texts order as their code units do", async () => {
    const found = await rows(
      client(),
      `SELECT place FROM unnest($1::text[]) WITH ORDINALITY AS given (value, place)
        ORDER BY value COLLATE "C"`,
      [distinct.map(toOrdered)],
    )
    const ordered = found.map(({ place }) => distinct[Number(place) - 1])
    expect(ordered).toEqual(distinct.toSorted())
  })

  test("texts are found in others exactly where they are", async () => {
    const pairs = sample.map((whole, index) => ({
      whole,
      sought: index % 2 === 0 ? whole.slice(index % 3, 5) : (sample[index - 1] ?? "").slice(0, 1),
    }))
    const found = await rows(
      client(),
      `SELECT strpos(whole, sought) > 0 AS found
        FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS given (whole, sought, place)
        ORDER BY place`,
      [
        pairs.map(({ whole }) => toSearchable(whole)),
        pairs.map(({ sought }) => toSearchable(sought)),
      ],
    )
    const expected = pairs.map(({ whole, sought }) => whole.includes(sought))
    expect(found.map(({ found: isFound }) => isFound)).toEqual(expected)
    expect(new Set(expected)).toEqual(new Set([true, false]))
  })

  test("any text is an account, a key and an answer, and comes back as it was", () =>
    Effect.runPromise(
      Effect.gen(function* () {
        const storage = yield* emptyStorage(client())
        const texts = distinct.slice(0, isWhole ? 120 : 40)
        for (const [index, text] of texts.entries()) {
          const given = {
            key: text,
            fingerprint: texts[index - 1] ?? "",
            answer: text,
            createdAt: 1,
          }
          yield* storage.transaction(text, ({ keys }) => keys.insert(given))
          const found = yield* storage.transaction(text, ({ keys }) => keys.get(text))
          expect(found).toEqual(given)
        }
        expect(yield* storage.accounts).toEqual(texts.toSorted())
      }),
    ))
})
