import * as Effect from "effect/Effect"
import type { CurrentChoice, SettingsChange, SettingsStore } from "../../ports/SettingsStore.js"
import { documentOf, json, type Row, textOrNullOf, whole, wholeOf } from "./rows.js"
import type { Session } from "./Session.js"

const current = "SELECT settings::text AS settings FROM apportion.accounts WHERE account_id = $1"

const append = `WITH revised AS (
    UPDATE apportion.accounts SET settings = $3::json
    WHERE account_id = $1 AND coalesce((settings ->> 'version')::bigint, 0) = $2::bigint - 1
    RETURNING account_id
  ) INSERT INTO apportion.settings_changes (account_id, version, document)
  SELECT account_id, $2::bigint, $4::json FROM revised RETURNING version`

const list = `SELECT document::text AS document FROM apportion.settings_changes
  WHERE account_id = $1 ORDER BY version DESC OFFSET $2 LIMIT $3`

const count = "SELECT count(*) AS total FROM apportion.settings_changes WHERE account_id = $1"

const choiceOf = (row: Row | undefined): CurrentChoice | undefined =>
  row === undefined || textOrNullOf(row, "settings") === null
    ? undefined
    : documentOf<CurrentChoice>(row, "settings")

/** The store of an account's settings within one transaction. */
export const make = (session: Session): SettingsStore => ({
  current: Effect.map(session.account("read the settings", current), choiceOf),
  append: (change) =>
    Effect.gen(function* () {
      const { version, since, chosen } = change
      // What is taken back to a savepoint would stay as it was entered with.
      session.entered = undefined
      const fields = [whole(version), json({ version, since, chosen }), json(change)]
      const [row] = yield* session.write("change the settings", append, fields)
      if (row === undefined) return yield* session.conflict("settings", String(version))
    }),
  list: ({ offset, limit }) =>
    Effect.gen(function* () {
      const doing = "list the changes of the settings"
      const [counted] = yield* session.read("count the changes of the settings", count)
      const rows = yield* session.read(doing, list, [whole(offset), whole(limit)])
      return {
        entries: rows.map((row) => documentOf<SettingsChange>(row)),
        total: counted === undefined ? 0 : wholeOf(counted, "total"),
      }
    }),
})
