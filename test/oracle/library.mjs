/**
 * Lets plain node run the comparisons: their files are TypeScript, and `apportion` is the built library, or its
 * sources with `--source`.
 */
import { existsSync } from "node:fs"
import { registerHooks } from "node:module"
import { fileURLToPath } from "node:url"

const isSource = process.argv.includes("--source")
const sources = new URL("../../src/", import.meta.url)

registerHooks({
  resolve(specifier, context, next) {
    const [, room] = /^apportion(?:\/(.+))?$/.exec(specifier) ?? [specifier, null]
    if (isSource && room !== null) {
      return next(new URL(`${room ?? "."}/index.ts`, sources).href, context)
    }
    if (specifier.startsWith(".") && specifier.endsWith(".js")) {
      const typed = new URL(specifier.replace(/\.js$/, ".ts"), context.parentURL)
      if (existsSync(fileURLToPath(typed))) return next(typed.href, context)
    }
    return next(specifier, context)
  },
})

/** A whole number from the environment. */
export const wholeNumber = (name, usual) => {
  const given = Number(process.env[name] ?? usual)
  if (Number.isSafeInteger(given) && given >= 0) return given
  throw new RangeError(`${name} must be a whole number, got "${process.env[name]}"`)
}
