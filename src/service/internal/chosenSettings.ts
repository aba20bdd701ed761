/** The settings of an account as a transaction sees them: the host's, with what the account has chosen. */
import * as Effect from "effect/Effect"
import type { ChosenSettings, SettingsInForce } from "../../ports/SettingsStore.js"
import type { Stores } from "../../ports/Storage.js"
import type { StorageError } from "../../ports/StorageError.js"

/** What the account has chosen in place of the host's. */
export const withChosen = <Host extends SettingsInForce>(
  host: Host,
  chosen: ChosenSettings | undefined,
): Host => {
  if (chosen === undefined) return host
  const { policy, timeZone = host.timeZone, maturityDays = host.maturityDays } = chosen
  return { ...host, policy: { ...host.policy, ...policy }, timeZone, maturityDays }
}

/** The settings in force in a transaction. A change of them and the transaction wait for each other. */
export const inForce = <Host extends SettingsInForce>(
  { settings }: Pick<Stores, "settings">,
  host: Host,
): Effect.Effect<Host, StorageError> =>
  Effect.map(settings.current, (current) => withChosen(host, current?.chosen))
