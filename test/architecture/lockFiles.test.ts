import { readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"

interface Locked {
  readonly integrity?: string
  readonly resolved?: string
  readonly optional?: boolean
  readonly dev?: boolean
  readonly os?: ReadonlyArray<string>
  readonly cpu?: ReadonlyArray<string>
  readonly libc?: ReadonlyArray<string>
}

const locked = (file: string): ReadonlyArray<readonly [string, Locked]> => {
  const { packages } = JSON.parse(readFileSync(file, "utf8"))
  return Object.entries<Locked>(packages).filter(([path]) => path !== "")
}

const files = ["package-lock.json", ".ci/package-lock.json", "bench/package-lock.json"]

/** Programs for one kind of machine, of which npm installs the one that fits. */
const isForMachine = ({ os, cpu, libc, optional, dev }: Locked): boolean =>
  optional === true && dev === true && (os !== undefined || cpu !== undefined || libc !== undefined)

/**
 * Tools for machines on which the lock file was never written: their checksums come when it is written where their
 * packages are at hand.
 */
const families = [
  "node_modules/@biomejs/cli-",
  "node_modules/@oxc-parser/binding-",
  "node_modules/@rollup/rollup-",
]

describe("the lock files", () => {
  test.each(files)(
    "%s have a checksum for every package, but for tools of other machines",
    (file) => {
      const without = locked(file).filter(([, { integrity }]) => integrity === undefined)
      const unexpected = without.filter(
        ([path, entry]) =>
          !isForMachine(entry) || !families.some((family) => path.startsWith(family)),
      )
      expect(unexpected.map(([path]) => path)).toEqual([])
    },
  )

  test.each(files)("%s have only strong checksums", (file) => {
    const weak = locked(file).filter(([, { integrity = "sha512-" }]) => !/^sha512-/.test(integrity))
    expect(weak.map(([path]) => path)).toEqual([])
  })

  test.each(files)("%s name no registry: packages come from the one that npm is set to", (file) => {
    expect(locked(file).filter(([, { resolved }]) => resolved !== undefined)).toEqual([])
    const settings = readFileSync(file.replace("package-lock.json", ".npmrc"), "utf8")
    expect(settings).toContain("omit-lockfile-registry-resolved=true")
  })
})
