/** Closing what is due in all accounts, once or by the clock. */
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Random from "effect/Random"
import * as Schedule from "effect/Schedule"
import type { StorageService } from "../../ports/Storage.js"
import { Actor } from "../Actor.js"
import type { AccountClosing, DuePayoutsService } from "../DuePayouts.js"
import type { PayoutsService } from "../Payouts.js"

/** How many accounts are closed at the same time. */
const accountsAtATime = 4

const shortest = Duration.seconds(1)

/** Goes on after whatever went wrong, but ends when it is told to. */
const logged = <A, E>(effect: Effect.Effect<A, E>, message: string): Effect.Effect<A | undefined> =>
  Effect.flatMap(Effect.exit(effect), (exit) => {
    if (Exit.isSuccess(exit)) return Effect.succeed(exit.value)
    if (Cause.hasInterruptsOnly(exit.cause)) return Effect.interrupt
    return Effect.as(Effect.logWarning(message, exit.cause), undefined)
  })

const closeAccount = Effect.fnUntraced(function* (payouts: PayoutsService, accountId: string) {
  const closing = logged(payouts.closeDue(accountId), "the due payouts could not all be closed")
  const done = yield* Effect.annotateLogs(closing, { accountId })
  return done === undefined ? accountId : { accountId, ...done }
})

const isClosing = (done: AccountClosing | string): done is AccountClosing =>
  typeof done !== "string"

const byId = (left: string, right: string): number => (left < right ? -1 : 1)

/** `DuePayouts.closeAll` */
export const closeAll = (
  storage: StorageService,
  payouts: PayoutsService,
): DuePayoutsService["closeAll"] =>
  Effect.gen(function* () {
    // Several processes begin at the same moment; so that they don't go side by side, each takes its way.
    const accounts = yield* Random.shuffle(yield* storage.accounts)
    const close = (accountId: string) => closeAccount(payouts, accountId)
    const done = yield* Effect.forEach(accounts, close, { concurrency: accountsAtATime })
    return {
      accounts: done
        .filter(isClosing)
        .filter(({ closed, rolled }) => closed.length + rolled.length > 0)
        .sort((left, right) => byId(left.accountId, right.accountId)),
      failed: done.filter((one) => typeof one === "string").sort(byId),
    }
  }).pipe(Effect.provideService(Actor, "system"), Effect.withSpan("DuePayouts.closeAll"))

/** Closes all now, and then again and again. */
export const repeatedly = (
  closing: DuePayoutsService["closeAll"],
  every: Duration.Input,
): Effect.Effect<void> => {
  const interval = Duration.max(Duration.fromInputUnsafe(every), shortest)
  const once = logged(closing, "the accounts whose payouts may be due could not be read")
  return Effect.asVoid(Effect.repeat(once, Schedule.fixed(interval)))
}
