/** Plants a fault in a source of the library while it is loaded, for histories that have to notice it. */
import { readFileSync } from "node:fs"
import { registerHooks } from "node:module"

const root = new URL("../../", import.meta.url).href

/** One file of the sources reads `to` in place of `from`; nothing is written. */
export const plant = ({ name, file, from, to }) => {
  registerHooks({
    load(url, context, next) {
      if (url !== `${root}src/${file}`) return next(url, context)
      const text = readFileSync(new URL(url), "utf8")
      if (!text.includes(from)) throw new RangeError(`the fault "${name}" has no place`)
      const source = text.replace(from, to)
      return { format: "module-typescript", source, shortCircuit: true }
    },
  })
}
