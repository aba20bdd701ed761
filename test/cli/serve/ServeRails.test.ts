import { PaymentRails, RailUnclear } from "apportion/ports"
import { Effect } from "effect"
import { expect, it } from "vitest"
import { layer } from "../../../src/cli/serve/ServeRails.js"

it("the API of the command line has the rails that get files, and asks none of them", async () => {
  const rails = await Effect.runPromise(
    Effect.provide(
      Effect.gen(function* () {
        return yield* PaymentRails
      }),
      layer,
    ),
  )
  expect(rails.map(({ name }) => name)).toEqual(["sepa", "paypal", "wise", "nacha"])
  for (const { name, terms, find } of rails) {
    expect(terms.mode).toBe("batch")
    const failure = await Effect.runPromise(Effect.flip(find("a1")))
    expect(failure).toEqual(RailUnclear.of(name, "a1", "its payments are in files"))
  }
})
