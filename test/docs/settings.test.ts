/** The chapter on running the server, held against the flags and the metrics that there are. */
import { readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { flags, variableOf } from "../../src/cli/serve/ServeEnvironment.js"

const page = readFileSync("docs/guide/33-running-it.md", "utf8")

/** The first columns of the rows whose first one fits. */
const rows = (pattern: RegExp) =>
  page
    .split("\n")
    .map((line) => line.split("|").map((cell) => cell.trim().replaceAll("`", "")))
    .filter(([, first = ""]) => pattern.test(first))

it("each flag of the server has its row, with its variable", () => {
  const told = rows(/^--[a-z]/).map(([, flag, variable]) => [flag, variable])
  const wanted = flags.map((flag) => [`--${flag}`, variableOf(flag)])
  expect(told.sort()).toEqual(wanted.sort())
})

it("each metric has its row", () => {
  const made = ["service/internal/meters", "http/RequestMeter", "cli/serve/ServeMetrics"].flatMap(
    (file) => [...readFileSync(`src/${file}.ts`, "utf8").matchAll(/"(apportion_\w+)"/g)],
  )
  expect(made.length).toBeGreaterThan(5)
  const names = made.map(([, name = ""]) => name)
  expect(
    rows(/^apportion_/)
      .map(([, name]) => name)
      .toSorted(),
  ).toEqual(names.toSorted())
})
