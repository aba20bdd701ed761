/**
 * In which order transactions took effect, from the versions that each read and wrote: whoever reads a
 * version comes after whoever wrote it, and before whoever wrote the next one.
 */
import type { Attempt, Thing } from "./WatchedStorage.js"

export interface SerialOrder {
  /** Each after all that it depends on. */
  readonly order: ReadonlyArray<Attempt>
  /** What can't be of transactions that took effect one after the other. */
  readonly problems: ReadonlyArray<string>
}

/** What an attempt read and wrote, with who is active as a thing of its own. */
interface Node {
  readonly attempt: Attempt
  readonly isKept: boolean
  readonly reads: ReadonlyMap<Thing, number>
  readonly writes: ReadonlyMap<Thing, ReadonlyArray<number>>
  readonly after: Set<Node>
  before: number
}

/** The payouts of each owner in the order in which they were opened. */
const openedByOwner = (kept: ReadonlyArray<Attempt>): ReadonlyMap<Thing, ReadonlyArray<string>> => {
  const all = kept.flatMap(({ opened }) => opened).sort((a, b) => a.number - b.number)
  const byOwner = new Map<Thing, Array<string>>()
  for (const { thing, payoutId } of all) {
    byOwner.set(thing, [...(byOwner.get(thing) ?? []), payoutId])
  }
  return byOwner
}

/** Opening the payout of number n is version 2n + 1 of who is active, its end is version 2n + 2. */
const nodeOf = (attempt: Attempt, isKept: boolean, places: ReadonlyMap<string, number>): Node => {
  const place = (payoutId: string) => places.get(payoutId) ?? -1
  const reads = new Map(attempt.reads)
  const writes = new Map<Thing, ReadonlyArray<number>>()
  const write = (thing: Thing, version: number) =>
    writes.set(thing, [...(writes.get(thing) ?? []), version])
  for (const [thing, active] of attempt.actives) {
    const next = attempt.opened.find((one) => one.thing === thing)
    if (active !== undefined) reads.set(thing, 2 * place(active) + 1)
    else if (next !== undefined && isKept) reads.set(thing, 2 * place(next.payoutId))
  }
  if (isKept) {
    for (const [thing, version] of attempt.writes) {
      const first = (attempt.reads.get(thing) ?? 0) + 1
      for (let each = first; each <= version; each += 1) write(thing, each)
    }
    for (const { thing, payoutId } of attempt.ended) write(thing, 2 * place(payoutId) + 2)
    for (const { thing, payoutId } of attempt.opened) write(thing, 2 * place(payoutId) + 1)
  }
  return { attempt, isKept, reads, writes, after: new Set(), before: 0 }
}

const link = (first: Node | undefined, second: Node | undefined): void => {
  if (first === undefined || second === undefined || first === second) return
  if (first.after.has(second)) return
  first.after.add(second)
  second.before += 1
}

const writersOf = (nodes: ReadonlyArray<Node>, problems: Array<string>) => {
  const writers = new Map<Thing, Map<number, Node>>()
  for (const node of nodes) {
    for (const [thing, versions] of node.writes) {
      const known = writers.get(thing) ?? new Map<number, Node>()
      writers.set(thing, known)
      for (const version of versions) {
        if (known.has(version)) problems.push(`version ${version} of ${thing} was written twice`)
        known.set(version, node)
      }
    }
  }
  for (const [thing, versions] of writers) {
    const last = Math.max(...versions.keys())
    for (let version = 1; version <= last; version += 1) {
      if (!versions.has(version)) problems.push(`nobody wrote version ${version} of ${thing}`)
    }
  }
  return writers
}

/** The attempts that are left when there is no way to put them in an order, with what they wait for. */
const circle = (nodes: ReadonlyArray<Node>): string => {
  const left = nodes.filter(({ before }) => before > 0).slice(0, 5)
  const lines = left.map(
    ({ attempt, reads, writes }) =>
      `run ${attempt.run}: read ${JSON.stringify([...reads])}, wrote ${JSON.stringify([...writes])}`,
  )
  return `these took effect in no order:\n${lines.join("\n")}`
}

/** Always the one whose work began first of those that can be next. */
const sorted = (nodes: ReadonlyArray<Node>): ReadonlyArray<Node> => {
  const order: Array<Node> = []
  const ready = nodes.filter(({ before }) => before === 0)
  ready.sort((a, b) => b.attempt.turn - a.attempt.turn)
  for (let node = ready.pop(); node !== undefined; node = ready.pop()) {
    order.push(node)
    for (const next of node.after) {
      next.before -= 1
      if (next.before > 0) continue
      let place = ready.length
      while (place > 0 && (ready[place - 1]?.attempt.turn ?? 0) < next.attempt.turn) place -= 1
      ready.splice(place, 0, next)
    }
  }
  return order
}

/** The order of the attempts of one account. Those that were refused only read. */
export const serialOrder = (
  kept: ReadonlyArray<Attempt>,
  refused: ReadonlyArray<Attempt>,
): SerialOrder => {
  const problems: Array<string> = []
  const places = new Map<string, number>()
  for (const ids of openedByOwner(kept).values()) {
    for (const [place, id] of ids.entries()) places.set(id, place)
  }
  const nodes = [
    ...kept.map((attempt) => nodeOf(attempt, true, places)),
    ...refused.map((attempt) => nodeOf(attempt, false, places)),
  ]
  const writers = writersOf(nodes, problems)
  for (const node of nodes) {
    for (const [thing, version] of node.reads) {
      link(writers.get(thing)?.get(version), node)
      link(node, writers.get(thing)?.get(version + 1))
    }
    for (const [thing, versions] of node.writes) {
      for (const version of versions) link(writers.get(thing)?.get(version - 1), node)
    }
  }
  const order = sorted(nodes)
  if (order.length < nodes.length) problems.push(circle(nodes))
  return { order: order.map(({ attempt }) => attempt), problems }
}
