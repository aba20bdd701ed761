import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"

const place = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))

/** Which folders of tests judge which folder of the core: its own, and those that compare whole splits. */
const whole = ["golden", "oracle", "laws"]
const judges: Readonly<Record<string, ReadonlyArray<string>>> = {
  money: ["money", "money/internal"],
  groups: ["groups"],
  matching: ["matching", "matching/internal", "groups", "golden", "oracle"],
  linking: ["matching/linking", "matching/internal/linking"],
  shares: ["shares", "shares/internal", ...whole],
  payouts: ["payouts", "payouts/internal"],
  pagination: ["pagination"],
  internal: ["internal", "groups", "money", "pagination", "wire"],
  analysis: ["analysis", "analysis/internal"],
  "Problem.ts": ["."],
}

/** Files of tests that take longer than the others, the quickest of them first. */
const slow = [
  "golden/golden",
  "matching/linking/Linking",
  "matching/RuleSet",
  "payouts/PayoutBook.facts",
  "payouts/Schedule",
  "oracle/refunds",
  "laws/refund",
  "payouts/PayoutBook.laws",
  "analysis/scope",
  "analysis/CheckOfEveryOrder",
  "analysis/random",
  "oracle/split",
  "laws/split",
  "matching/linking/Changes",
  "oracle/text",
  "matching/ChangingRules",
]

const slowness = ({ moduleId }: TestSpecification): number =>
  slow.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`))

/** The first failing test ends the run of a mutant: quick tests go first. */
class QuickFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    return [...files].sort(
      (one, other) => slowness(one) - slowness(other) || (one.moduleId < other.moduleId ? -1 : 1),
    )
  }
}

/** The tests of the core alone, as they run once for each mutant: few random cases, always the same. */
export default defineConfig({
  root: place(""),
  resolve: {
    alias: [
      { find: /^apportion\/([a-z]+)$/, replacement: place("src/$1/index.ts") },
      { find: /^apportion$/, replacement: place("src/index.ts") },
    ],
  },
  test: {
    testTimeout: 60_000,
    env: { APPORTION_RUNS: "200", APPORTION_SCOPE: "little" },
    isolate: false,
    sequence: { sequencer: QuickFirst },
    setupFiles: [place(".ci/fixedSeeds.ts")],
    include: (judges[process.env.MUTATED_FOLDER ?? ""] ?? Object.values(judges).flat()).map(
      (folder) => `test/${folder}/*.test.ts`,
    ),
    exclude: [
      "test/**/*.built.test.ts",
      // These judge the comparison itself, and the largest of what the other tests try in small.
      "test/oracle/comparison.test.ts",
      "test/oracle/policies.test.ts",
      "test/matching/ChangingManyGroups.test.ts",
      "test/analysis/hostile.test.ts",
      // Reads the guide.
      "test/analysis/CheckGuide.test.ts",
    ],
  },
})
