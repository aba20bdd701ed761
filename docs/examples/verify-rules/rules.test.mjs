import { ruleCases } from "apportion/testing"
import { describe, test } from "vitest"
import { laws, options, rules } from "./shop.mjs"

describe("our rules", () => {
  for (const { name, run } of ruleCases(rules, laws, options)) test(name, run)
})
