import type { SettingsStore } from "../../ports/SettingsStore.js"
import { Conflict } from "../../ports/StorageError.js"
import type { MemoryAccount } from "./Account.js"
import { everything, type Journal, sealed, slicedList } from "./Table.js"

/** The store of an account's settings within one transaction. Their versions have no gaps, so the last is the current. */
export const makeSettings = (account: MemoryAccount, journal: Journal): SettingsStore => {
  const { settings, settingsInOrder } = account
  return {
    current: journal.read("read the settings", () => settings.get(String(settings.size))),
    append: (change) =>
      journal.write("change the settings", () => {
        if (change.version !== settings.size + 1) {
          return Conflict.of("settings", String(change.version))
        }
        settings.put(journal, sealed(change))
        return undefined
      }),
    list: (slice) =>
      journal.read("list the changes of the settings", () =>
        slicedList(settingsInOrder.list(everything), slice),
      ),
  }
}
