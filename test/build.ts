import { spawnSync } from "node:child_process"
import { existsSync, globSync, statSync } from "node:fs"

/** What a build that succeeded writes at its end. */
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
 * Builds dist before the tests that need it, unless it is newer than everything it is made from. When the build fails
 * there is no stamp: the tests of what is built fail, the others run all the same.
 */
export const setup = () => {
  if (isFresh()) return
  spawnSync("npm", ["run", "--silent", "build"], { stdio: ["ignore", "inherit", "inherit"] })
}
