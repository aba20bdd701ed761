import { spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { expect, test } from "vitest"

test("npm start shows the sample store on one screen, and leaves a page for each collaborator", () => {
  const { stdout, status } = spawnSync(process.execPath, ["docs/sample-store/tour.mjs"], {
    encoding: "utf8",
  })
  expect(status).toBe(0)
  const lines = stdout.trimEnd().split("\n")
  expect(lines.length).toBeLessThanOrEqual(45)
  expect(lines.filter((line) => line.length > 100)).toEqual([])
  expect(lines).toContain("Every cent is accounted for (refunds taken off):")
  expect(stdout).toMatch(/^ {2}The store keeps [\d.]+ USD\.$/m)
  const collaborators: ReadonlyArray<{ readonly id: string }> = JSON.parse(
    readFileSync("docs/sample-store/collaborators.json", "utf8"),
  )
  for (const { id } of collaborators) {
    expect(stdout).toMatch(new RegExp(`^${id} +[A-Z]{3} +\\d+ `, "m"))
    expect(existsSync(`temp/tour/${id}.html`), id).toBe(true)
  }
})
