import * as promise from "apportion/promise"
import {
  type Apportion,
  type ApportionError,
  type CallError,
  isApportionError,
  makeApportion,
  type RejectionOf,
  resultOf,
  type Services,
} from "apportion/promise"
import * as Result from "effect/Result"
import { describe, expect, expectTypeOf, test } from "vitest"

type Tag<E> = E extends { readonly _tag: infer T } ? T : never

/** The tags of everything that any method of any service rejects with. */
type RejectedTags = {
  [Name in keyof Services]: {
    [Method in keyof Services[Name]]: Tag<RejectionOf<Services[Name][Method]>>
  }[keyof Services[Name]]
}[keyof Services]

const shop = "my-shop"

describe("what a call rejects with", () => {
  test("is known by its type, for each method", () => {
    expectTypeOf<Tag<RejectionOf<Apportion["payouts"]["get"]>>>().toEqualTypeOf<
      Tag<CallError> | "NotFound" | "Conflict" | "StorageFailure"
    >()
    expectTypeOf<Tag<RejectionOf<Apportion["collaborators"]["create"]>>>().toEqualTypeOf<
      | Tag<CallError>
      | (
          | "InvalidCollaborator"
          | "AlreadyExists"
          | "KeyReused"
          | "TooManyKeys"
          | "Conflict"
          | "StorageFailure"
        )
    >()
    expectTypeOf<Tag<RejectionOf<Apportion["collaborators"]["list"]>>>().toEqualTypeOf<
      Tag<CallError> | "InvalidPageRequest" | "Conflict" | "StorageFailure"
    >()
    expectTypeOf<Tag<RejectionOf<Apportion["groups"]["update"]>>>().toEqualTypeOf<
      | Tag<CallError>
      | ("InvalidProductGroup" | "NotFound" | "KeyReused" | "TooManyKeys" | "InvalidPageRequest")
      | ("Conflict" | "StorageFailure")
    >()
  })

  test("is one of the errors that the guard knows, whatever the method", () => {
    expectTypeOf<RejectedTags>().toExtend<Tag<ApportionError>>()
    expectTypeOf<"OverAllocated">().toExtend<RejectedTags>()
  })

  test("is handled by a switch that the compiler holds to be complete", async () => {
    const { payouts } = await makeApportion()
    const words = (error: RejectionOf<typeof payouts.get>): string => {
      switch (error._tag) {
        case "NotFound":
          return `no ${error.what}`
        case "InvalidArgument":
          return error.problems.map(({ path }) => path).join()
        case "Conflict":
        case "StorageFailure":
          return "try again"
        case "Closed":
        case "UnitOfWorkEnded":
        case "Defect":
          return "a bug"
      }
    }
    const result = await resultOf(payouts.get(shop, "p1"))
    expect(Result.isFailure(result) && words(result.failure)).toBe("no payout")
  })
})

describe("an error of this library", () => {
  const exported = Object.entries(promise).filter(
    ([, value]) => typeof value === "function" && value.prototype instanceof Error,
  )

  test("is told from every other thing that can be caught", async () => {
    const { payouts } = await makeApportion()
    const caught: unknown = await payouts.get(shop, "p1").catch((error: unknown) => error)
    expect(isApportionError(caught)).toBe(true)
    const others = [
      new Error("no"),
      { _tag: "NotFound", message: "no" },
      undefined,
      null,
      "NotFound",
    ]
    expect(others.filter(isApportionError)).toEqual([])
  })

  test("is exported here with all the others, each known to the guard", () => {
    expect(exported.length).toBeGreaterThan(40)
    for (const [name, value] of exported) {
      expect(isApportionError(Object.create(Reflect.get(value, "prototype"))), name).toBe(true)
    }
  })
})

describe("a call's result as a value", () => {
  test("holds the answer", async () => {
    const { collaborators } = await makeApportion()
    const made = collaborators.create(shop, { id: "ada", currency: "EUR" })
    expect(Result.getOrThrow(await resultOf(made))).toMatchObject({ collaborator: { id: "ada" } })
  })

  test("is none for what is no error of this library: that is thrown on", async () => {
    const failed = Promise.reject(new RangeError("of the host"))
    await expect(resultOf(failed)).rejects.toThrow("of the host")
  })
})
