import { execFileSync } from "node:child_process"
import { existsSync, globSync, statSync, writeFileSync } from "node:fs"

const stamp = "dist/.built"

const sources = () => [
  ...globSync("src/**/*.ts"),
  "package.json",
  "tsconfig.json",
  "tsconfig.build.json",
  "tsup.config.ts",
]

const isFresh = () => {
  if (!existsSync(stamp)) return false
  const built = statSync(stamp).mtimeMs
  return sources().every((file) => statSync(file).mtimeMs < built)
}

/** Builds dist before the tests that need it, unless it is newer than everything it is made from. */
export const setup = () => {
  if (isFresh()) return
  const began = new Date()
  execFileSync("npm", ["run", "--silent", "build"], { stdio: ["ignore", "inherit", "inherit"] })
  writeFileSync(stamp, `${began.toISOString()}\n`)
}
