/** Everything that changes something, each as a call in the scene. */
import {
  Actor,
  Collaborators,
  Idempotency,
  Payouts,
  type PayoutsService,
  ProductGroups,
  Products,
  Sales,
  UnitOfWork,
} from "apportion/service"
import { Effect, Result } from "effect"
import { type Call, orderOf } from "./Scene.js"
import { account } from "./Shop.js"

const payouts =
  <A, E extends { readonly _tag: string }>(
    which: "paid" | "pending" | "due" | "failed" | "collecting",
    use: (service: PayoutsService, id: string) => Effect.Effect<A, E>,
  ): Call =>
  (scene) =>
    Effect.flatMap(Payouts, (service) => use(service, scene.payouts[which]))

const refund =
  (id: string, orderId: string, quantity: number): Call =>
  () =>
    Effect.flatMap(Sales, (sales) => sales.refund(account, { id, orderId, itemId: "i1", quantity }))

const sale =
  (id: string): Call =>
  () =>
    Effect.flatMap(Sales, (sales) => sales.record(account, orderOf(id)))

/** o1 is paid to ada and failed for ben, o2 pending, o3 collecting; ada's third payout is due now. */
export const calls: Readonly<Record<string, Call>> = {
  "record a sale": sale("o4"),
  // Sales of one actor are recorded together.
  "record another sale": (scene) => Effect.provideService(sale("o5")(scene), Actor, "another"),
  "refund of a settled share": refund("r1", "o1", 1),
  "refund of a pending share": refund("r2", "o2", 3),
  "another refund of it, too much with the first": refund("r3", "o2", 2),
  "refund of a share that collects": refund("r4", "o3", 1),
  "expense in a pending payout": payouts("pending", (service, id) =>
    service.addExpense(account, id, { id: "x1", amount: 500, name: "Print" }),
  ),
  "income in a payout that is due": payouts("due", (service, id) =>
    service.addIncome(account, id, { id: "x2", amount: 700, name: "Bonus" }),
  ),
  "income in a payout that collects": payouts("collecting", (service, id) =>
    service.addIncome(account, id, { id: "x3", amount: 900, name: "Bonus" }),
  ),
  "remove an expense": payouts("pending", (service, id) => service.removeEntry(account, id, "e1")),
  "close what is due": () => Effect.flatMap(Payouts, (service) => service.closeDue(account)),
  pay: payouts("pending", (service, id) => service.pay(account, id)),
  fail: payouts("pending", (service, id) => service.fail(account, id, "no account")),
  retry: payouts("failed", (service, id) => service.retry(account, id)),
  "pay what failed": payouts("failed", (service, id) => service.pay(account, id)),
  "set paid what is pending": payouts("pending", (service, id) => service.setPaid(account, id)),
  "set paid what is due": payouts("due", (service, id) => service.setPaid(account, id)),
  "set paid what failed": payouts("failed", (service, id) => service.setPaid(account, id)),
  "create a group": () =>
    Effect.flatMap(ProductGroups, (service) =>
      service.create(account, "ada", {
        id: "gd",
        link: { type: "products", values: ["plain"] },
        percent: 40,
      }),
    ),
  "update a group": () =>
    Effect.flatMap(ProductGroups, (service) =>
      service.update(account, "ben", "gb", (group) =>
        Result.succeed({ ...group, link: { type: "products.vendor", values: ["North"] } }),
      ),
    ),
  "update a group's percentage": () =>
    Effect.flatMap(ProductGroups, (service) =>
      service.update(account, "ada", "ga", (group) => Result.succeed({ ...group, percent: 20 })),
    ),
  "remove a group": () =>
    Effect.flatMap(ProductGroups, (service) => service.remove(account, "ben", "gb")),
  "put products": () =>
    Effect.flatMap(Products, (service) =>
      service.put(account, [
        { id: "plain", name: "Plain", vendor: "North", tags: ["both"] },
        { id: "p4", name: "Fourth", tags: ["art"] },
      ]),
    ),
  "remove products": () =>
    Effect.flatMap(Products, (service) => service.remove(account, ["p2", "plain"])),
  "two incomes as one": (scene) =>
    Effect.gen(function* () {
      const unitOfWork = yield* UnitOfWork
      const service = yield* Payouts
      const add = (which: "collecting" | "pending") =>
        service.addIncome(account, scene.payouts[which], { id: "x4", amount: 40, name: "Half" })
      yield* unitOfWork.run(account, Effect.andThen(add("collecting"), add("pending")))
    }),
  "an income under a key": (scene) =>
    Effect.gen(function* () {
      const idempotency = yield* Idempotency
      const service = yield* Payouts
      const income = { amount: 60, name: "Keyed" }
      const add = Effect.as(service.addIncome(account, scene.payouts.collecting, income), "added")
      yield* idempotency.once(account, { key: "k1", request: "income" }, add)
    }),
  "change a collaborator's terms": () =>
    Effect.flatMap(Collaborators, (service) =>
      service.update(account, "ada", { payoutThreshold: 100_000, currency: "EUR" }),
    ),
}

export const callNames: ReadonlyArray<string> = Object.keys(calls)
