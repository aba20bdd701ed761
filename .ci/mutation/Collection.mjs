import { format } from "node:util"
import { expect } from "vitest"

/** The name of one of the tests that a table makes, as vitest writes it. */
const titled = (name, row) => {
  const values = Array.isArray(row) ? row : [row]
  const places = name.match(/%[sdifjoO]/g)?.length ?? 0
  return format(name, ...values.slice(0, places)).replace(/\$(\w+)/g, (written, key) =>
    String(Object(values[0])[key] ?? written),
  )
}

const bodyOf = (name, given) => {
  const [first, second] = given
  const body = typeof first === "function" ? first : second
  const others = given.filter((one) => one !== body && one !== undefined)
  const known = others.every(
    (one) => typeof one === "number" || Object.keys(one).join() === "timeout",
  )
  if (typeof body !== "function" || !known) throw new Error(`a test of an unknown kind: ${name}`)
  return body
}

/** Where a test begins, counted from 0, by the frame of the file in a stack; undefined when no frame is of it. */
const placeIn = (stack, file) => {
  const frame = stack.split("\n").find((line) => line.includes(`/${file}:`))
  const [, line, column] = frame?.match(/:(\d+):(\d+)\)?$/) ?? []
  return line === undefined ? undefined : { line: line - 1, column: column - 1 }
}

/**
 * Keeps the tests of files that are loaded, instead of running them. What it offers to these files is what the
 * tests of the core use of vitest; all else is undefined, and so fails where it is used.
 */
export class Collection {
  /** What vitest is for the files that are loaded. */
  vitest
  tests = []
  #file = ""
  #suites = []
  #names = new Map()
  #withPlaces

  /** Places are what tells Stryker which tests have changed; finding them takes time. */
  constructor({ withPlaces }) {
    this.#withPlaces = withPlaces
    const test = this.#withTables((name, ...given) => this.#add(name, bodyOf(name, given)))
    const describe = this.#withTables((name, ...given) => this.#within(name, bodyOf(name, given)))
    this.vitest = { describe, it: test, test, expect }
  }

  /** Keeps the tests of a file. */
  async of(file, load) {
    this.#file = file
    const before = this.tests.length
    await load()
    this.#mustHaveGrown(before, file)
  }

  /** A mutant can leave a table without rows: as with vitest, a place for tests that has none fails. */
  #mustHaveGrown(before, where) {
    if (this.tests.length === before) throw new Error(`no tests: ${where}`)
  }

  #withTables(add) {
    const table =
      (isSpread) =>
      (rows, ...values) => {
        if (!Array.isArray(rows) || values.length > 0) throw new Error("a table that is no array")
        const spread = isSpread(rows)
        return (name, ...given) => {
          const body = bodyOf(name, given)
          for (const row of rows)
            add(titled(name, row), spread ? () => body(...row) : () => body(row))
        }
      }
    // A table of lists gives the items of a row one by one; when a single row is no list, none is taken apart.
    return Object.assign(add, {
      each: table((rows) => rows.every(Array.isArray)),
      for: table(() => false),
    })
  }

  #within(name, body) {
    const before = this.tests.length
    this.#suites.push(name)
    if (body() !== undefined) throw new Error(`a suite that gives something: ${name}`)
    this.#suites.pop()
    this.#mustHaveGrown(before, name)
  }

  #add(title, body) {
    const name = [...this.#suites, title].join(" > ").trim()
    const key = `${this.#file}#${name}`
    const before = this.#names.get(key) ?? 0
    this.#names.set(key, before + 1)
    const id = before === 0 ? key : `${key} (${before + 1})`
    const startPosition = this.#withPlaces ? placeIn(new Error(title).stack, this.#file) : undefined
    this.tests.push({ id, name, file: this.#file, startPosition, body })
  }
}
