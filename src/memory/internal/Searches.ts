import { foldText } from "../../matching/Product.js"
import type { StoredGroup } from "../../ports/ProductGroupStore.js"
import type { ProductFilter } from "../../ports/ProductStore.js"
import type { Catalogue, Entry } from "./Catalogue.js"
import type { Links } from "./Links.js"
import { everything, type Index, type Table } from "./Table.js"

/** How many searches are remembered. */
const remembered = 8

/** What a search looks at. */
interface Searched {
  readonly catalogue: Catalogue
  readonly links: Links
  readonly groups: Table<StoredGroup>
  readonly groupsOf: Index<StoredGroup>
}

/** What was found lately, so that the next page of a search does not search again. */
export class Searches {
  readonly #searched: Searched
  readonly #found = new Map<string, ReadonlyArray<Entry>>()
  #changes = -1

  constructor(searched: Searched) {
    this.#searched = searched
  }

  /** Every product to which a filter applies, in the order of the catalogue's list. */
  find({ search = "", collaboratorId }: ProductFilter): ReadonlyArray<Entry> {
    this.#forgetWhatChanged()
    const text = foldText(search)
    const name = JSON.stringify([text, collaboratorId])
    const known = this.#found.get(name)
    const found = known ?? this.#search(text, collaboratorId)
    this.#found.delete(name)
    this.#found.set(name, found)
    for (const oldest of this.#found.keys()) {
      if (this.#found.size <= remembered) break
      this.#found.delete(oldest)
    }
    return found
  }

  #forgetWhatChanged(): void {
    const { catalogue, links, groups } = this.#searched
    const changes = catalogue.changes + links.changes + groups.changes
    if (changes !== this.#changes) this.#found.clear()
    this.#changes = changes
  }

  #search(text: string, collaboratorId: string | undefined): ReadonlyArray<Entry> {
    const { catalogue } = this.#searched
    const isLinked = collaboratorId === undefined ? () => true : this.#linkedTo(collaboratorId)
    const all = catalogue.inOrder.list(everything)?.all() ?? []
    return all.filter((entry) => isLinked(entry) && (text === "" || entry.has(text)))
  }

  #linkedTo(collaboratorId: string): (entry: Entry) => boolean {
    const { groupsOf, links } = this.#searched
    const ids = new Set<string>()
    for (const { group } of groupsOf.list(collaboratorId) ?? []) ids.add(group.id)
    return ({ key }) => {
      for (const groupId of links.groupsOf(key)) if (ids.has(groupId)) return true
      return false
    }
  }
}
