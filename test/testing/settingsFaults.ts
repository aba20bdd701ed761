import type { SettingsStore } from "apportion/ports"
import { Effect } from "effect"
import { type Fault, inStores } from "./Fault.js"

/** A fault in the store of settings. */
const inSettings = (
  name: string,
  change: (store: SettingsStore) => Partial<SettingsStore>,
): Fault =>
  inStores(name, ({ stores: { settings } }) => ({ settings: { ...settings, ...change(settings) } }))

/** What an adapter can do wrong with the settings of accounts. */
export const settingsFaults: ReadonlyArray<Fault> = [
  inSettings(
    "settings are changed by who does not know the last change",
    ({ current, append }) => ({
      append: (change) =>
        Effect.flatMap(current, (known) =>
          append({ ...change, version: (known?.version ?? 0) + 1 }),
        ),
    }),
  ),
  inSettings("a transaction does not see the settings that it changed", ({ current, append }) => {
    let before: Effect.Success<typeof current>
    let isChanged = false
    return {
      current: Effect.suspend(() => (isChanged ? Effect.succeed(before) : current)),
      append: (change) =>
        Effect.flatMap(current, (known) => {
          before = known
          isChanged = true
          return append(change)
        }),
    }
  }),
  inSettings("the list of changes of settings begins with the first", ({ list }) => ({
    list: (slice) =>
      Effect.map(list(slice), ({ entries, total }) => ({ entries: entries.toReversed(), total })),
  })),
]
