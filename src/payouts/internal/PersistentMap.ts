// A map that never changes: setting a key returns a new map, which shares all but a few nodes with the old one. It is a trie
// over the bits of the keys' hashes. Effect's HashMap does the same and more; loading it takes a fifth of the time that
// loading the core may take.

const bits = 5
const slots = 1 << bits

/** The entries whose keys have the same hash, nearly always a single one. */
interface Leaf<V> {
  readonly hash: number
  readonly entries: ReadonlyArray<readonly [key: string, value: V]>
}

type Branch<V> = ReadonlyArray<TrieNode<V> | undefined>

type TrieNode<V> = Leaf<V> | Branch<V>

/** A map whose keys are texts. */
export interface PersistentMap<V> {
  readonly size: number
  readonly root: Branch<V>
}

const noNodes: Branch<never> = /* @__PURE__ */ Array.from({ length: slots }, () => undefined)

/** A map without entries. */
export const empty: PersistentMap<never> = { size: 0, root: noNodes }

const isBranch = <V>(node: TrieNode<V>): node is Branch<V> => Array.isArray(node)

const hashOf = (key: string): number => {
  let hash = 0x811c9dc5
  for (let at = 0; at < key.length; at += 1) {
    hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193)
  }
  // The first slots are chosen by the low bits, which the last letters alone would decide.
  return hash ^ (hash >>> 15)
}

const slotOf = (hash: number, shift: number): number => (hash >>> shift) & (slots - 1)

const find = <V>(map: PersistentMap<V>, key: string, hash: number): V | undefined => {
  let node: TrieNode<V> | undefined = map.root
  for (let shift = 0; node !== undefined && isBranch(node); shift += bits) {
    node = node[slotOf(hash, shift)]
  }
  if (node !== undefined) for (const entry of node.entries) if (entry[0] === key) return entry[1]
  return undefined
}

/** The value of a key. */
export const get = <V>(map: PersistentMap<V>, key: string): V | undefined =>
  find(map, key, hashOf(key))

/** The value of a key that the map has. */
export const at = <V>(map: PersistentMap<V>, key: string): V => {
  const value = get(map, key)
  if (value === undefined) throw new RangeError(`there is nothing with the key ${key}`)
  return value
}

/**
 * Puts a leaf into a branch. Leaves of different hashes separate at the last bits at the latest; a leaf with the same
 * hash can only be a new one, which has one entry.
 */
const withLeaf = <V>(branch: Branch<V>, leaf: Leaf<V>, shift: number): Branch<V> => {
  const slot = slotOf(leaf.hash, shift)
  const node = branch[slot]
  const copy = branch.slice()
  if (node === undefined) copy[slot] = leaf
  else if (isBranch(node)) copy[slot] = withLeaf(node, leaf, shift + bits)
  else if (node.hash !== leaf.hash) {
    copy[slot] = withLeaf(withLeaf<V>(noNodes, node, shift + bits), leaf, shift + bits)
  } else {
    const others = node.entries.filter(([key]) => key !== leaf.entries[0]?.[0])
    copy[slot] = { hash: leaf.hash, entries: [...others, ...leaf.entries] }
  }
  return copy
}

/** The map with a value for a key, which replaces an earlier one. */
export const set = <V>(map: PersistentMap<V>, key: string, value: NoInfer<V>): PersistentMap<V> => {
  const hash = hashOf(key)
  return {
    size: map.size + (find(map, key, hash) === undefined ? 1 : 0),
    root: withLeaf(map.root, { hash, entries: [[key, value]] }, 0),
  }
}

/** All values, in an order that depends on the keys alone. */
export const values = <V>(map: PersistentMap<V>): ReadonlyArray<V> => {
  const found: Array<V> = []
  const add = (node: TrieNode<V> | undefined): void => {
    if (node === undefined) return
    if (isBranch(node)) node.forEach(add)
    else for (const [, value] of node.entries) found.push(value)
  }
  add(map.root)
  return found
}
