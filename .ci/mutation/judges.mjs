import { globSync } from "node:fs"

/** Which folders of tests judge which folder of the core: its own, and those that compare whole splits. */
const whole = ["golden", "oracle", "laws"]
const folders = new Map([
  ["money", ["money", "money/internal"]],
  ["orders", ["orders", "orders/internal", "rules", "rules/engine", "golden", "oracle"]],
  ["rules", ["rules", "rules/engine", "orders", "golden", "oracle"]],
  ["linking", ["rules/linking"]],
  ["shares", ["shares", "shares/internal", ...whole]],
  ["payouts", ["payouts", "payouts/internal"]],
  ["pagination", ["pagination"]],
  ["internal", ["internal", "orders", "rules", "money", "pagination", "wire"]],
  ["analysis", ["analysis", "analysis/internal"]],
  ["Problem.ts", ["."]],
])

const exclude = [
  "test/**/*.built.test.ts",
  "test/**/*.long.test.ts",
  // These judge the comparison itself, and the largest of what the other tests try in small.
  "test/oracle/comparison.test.ts",
  "test/oracle/policies.long.test.ts",
  "test/analysis/hostile.test.ts",
]

/** The files of tests that judge a folder of the core. */
export const judgesOf = (folder) =>
  folders
    .get(folder)
    .flatMap((tests) => globSync(`test/${tests}/*.test.ts`, { exclude }))
    .sort()
