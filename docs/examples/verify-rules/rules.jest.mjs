import { ruleCases } from "apportion/testing"
import { laws, options, rules } from "./shop.mjs"

describe("our rules", () => {
  for (const { name, run } of ruleCases(rules, laws, options)) test(name, run)
})
