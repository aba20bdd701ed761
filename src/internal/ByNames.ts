/** A list of names, and what follows from it. */
interface KnownNames<A> {
  readonly names: ReadonlyArray<string>
  readonly found: A
}

const areSame = (names: ReadonlyArray<string>, others: ReadonlyArray<string>): boolean => {
  for (let index = 0; index < names.length; index += 1) {
    if (names[index] !== others[index]) return false
  }
  return true
}

/**
 * What follows from the names of an object's fields, worked out once for each list of names in their order: objects that the
 * same code makes have the same one, so there are few. After too many of them, because hosts named fields as they liked,
 * it begins anew. A hot path: comparing names, which are the same texts in memory, is quicker than any look-up by them.
 */
export class ByNames<A> {
  readonly #of: (names: ReadonlyArray<string>) => A
  /** Those that are known, by how many names they have. */
  readonly #known = new Map<number, Array<KnownNames<A>>>()
  #count = 0

  constructor(of: (names: ReadonlyArray<string>) => A) {
    this.#of = of
  }

  of(names: ReadonlyArray<string>): A {
    const known = this.#known.get(names.length)
    if (known !== undefined) {
      for (const one of known) if (areSame(one.names, names)) return one.found
    }
    return this.#add(names)
  }

  #add(names: ReadonlyArray<string>): A {
    if (this.#count === mostLists) {
      this.#known.clear()
      this.#count = 0
    }
    this.#count += 1
    const found = this.#of(names)
    const known = this.#known.get(names.length) ?? []
    known.push({ names: [...names], found })
    this.#known.set(names.length, known)
    return found
  }
}

const mostLists = 128
