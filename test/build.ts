import { spawnSync } from "node:child_process"
import { existsSync, globSync, rmSync, statSync, writeFileSync } from "node:fs"

/** Written after a build that succeeded. */
export const stamp = "dist/.built"

const sources = () => [
  ...globSync("src/**/*.{ts,tsx,css,html}"),
  "package.json",
  "tsconfig.json",
  "tsconfig.build.json",
  "tsup.config.ts",
  ".ci/notices.ts",
  ".ci/pages.ts",
]

const isFresh = () => {
  if (!existsSync(stamp)) return false
  const built = statSync(stamp).mtimeMs
  return sources().every((file) => statSync(file).mtimeMs < built)
}

/**
 * Builds dist before the tests that need it, unless it is newer than everything it is made from. When
 * the build fails there is no stamp: the tests of what is built fail, the others run all the same.
 */
export const setup = () => {
  if (isFresh()) return
  rmSync(stamp, { force: true })
  const began = new Date()
  const { status } = spawnSync("npm", ["run", "--silent", "build"], {
    stdio: ["ignore", "inherit", "inherit"],
  })
  if (status === 0) writeFileSync(stamp, `${began.toISOString()}\n`)
}
