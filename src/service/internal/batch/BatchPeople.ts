/** The collaborators of a batch, each looked up once. */
import * as Effect from "effect/Effect"
import type { CollaboratorStore, StoredCollaborator } from "../../../ports/CollaboratorStore.js"

/** Something that was looked up; it may be that there is none. */
export interface Looked<A> {
  readonly found: A | undefined
}

/** Collaborators by their ids. */
export class BatchPeople {
  readonly #people = new Map<string, Looked<StoredCollaborator>>()

  /** Looks up those that are not known; `ask` asks the storage. */
  find(
    ids: ReadonlyArray<string>,
    ask: CollaboratorStore["find"],
  ): ReturnType<CollaboratorStore["find"]> {
    const known: Array<StoredCollaborator> = []
    const unknown: Array<string> = []
    for (const id of new Set(ids)) {
      const looked = this.#people.get(id)
      if (looked === undefined) unknown.push(id)
      else if (looked.found !== undefined) known.push(looked.found)
    }
    if (unknown.length === 0) return Effect.succeed(known)
    return Effect.flatMap(ask(unknown), (all) => {
      for (const id of unknown) this.#people.set(id, { found: undefined })
      for (const found of all) this.#people.set(found.collaborator.id, { found })
      return this.find(ids, ask)
    })
  }
}
