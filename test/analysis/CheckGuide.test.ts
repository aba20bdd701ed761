import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { Analysis } from "../../src/index.js"

test("the guide tells of every rule what it is and what to do", () => {
  const guide = readFileSync("docs/guide/23-checking-rules.md", "utf8")
  const rows = guide
    .split("\n")
    .filter((line) => /^\| `[a-z-]+` +\| (error|warning|note)/.test(line))
  const cells = rows.map((row) => row.split("|").map((cell) => cell.trim()))
  expect(cells.map(([, ...row]) => row.slice(0, 4))).toEqual(
    Analysis.checkRules.map(({ id, severity, title, why, whatToDo }) => [
      `\`${id}\``,
      severity,
      `${title} ${why}`,
      whatToDo,
    ]),
  )
})
