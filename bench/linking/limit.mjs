// Linking by hand, as fast as it goes: numbers for texts, typed arrays, nothing kept for later changes, no
// keys, no groups or products as answers. It reads the same groups and products and folds the same texts.

const ascii = /^[\x20-\x7e]*$/

/** Text as rules compare it; see docs/decisions/matching.md. */
const fold = (text) => {
  if (ascii.test(text)) return text.trim().toLowerCase()
  const parts = text.trim().normalize("NFC").split("ı")
  const same = parts.map((part) => part.toLowerCase().toUpperCase().toLowerCase()).join("ı")
  return same.replaceAll("ς", "σ").normalize("NFC")
}

/** Numbers for texts, the same for two that are the same to a rule. */
const numbering = (next) => {
  const spelled = new Map()
  const folded = new Map()
  /** The number of a text that a group asks for. */
  const asked = (text) => {
    const known = spelled.get(text)
    if (known !== undefined) return known
    const key = fold(text)
    let number = folded.get(key)
    if (number === undefined) {
      number = next()
      folded.set(key, number)
    }
    spelled.set(text, number)
    return number
  }
  /** The number of a text that a product has; -1 when no group asks for it. */
  const found = (text) => {
    const known = spelled.get(text)
    if (known !== undefined) return known
    const number = folded.get(fold(text)) ?? -1
    spelled.set(text, number)
    return number
  }
  return { asked, found }
}

/** The groups: for each where its values start, the values, whether it takes all, whether it is turned round. */
const readGroups = (groups) => {
  let size = 0
  const next = () => size++
  const [tags, vendors, ids] = [numbering(next), numbering(next), new Map()]
  const starts = new Int32Array(groups.length + 1)
  let values = new Int32Array(1 << 16)
  let count = 0
  for (let group = 0; group < groups.length; group += 1) {
    const { link } = groups[group]
    const given = link.values
    if (count + given.length > values.length) {
      const larger = new Int32Array((count + given.length) * 2)
      larger.set(values)
      values = larger
    }
    const from = count
    for (let at = 0; at < given.length; at += 1) {
      const text = given[at]
      let number
      if (link.type === "products") {
        number = ids.get(text)
        if (number === undefined) {
          number = next()
          ids.set(text, number)
        }
      } else if (link.type === "products.tag") number = tags.asked(text)
      else if (link.type === "products.vendor") number = vendors.asked(text)
      else break
      let isNew = true
      for (let before = from; before < count; before += 1)
        if (values[before] === number) isNew = false
      if (isNew) values[count++] = number
    }
    starts[group + 1] = count
  }
  return { tags, vendors, ids, starts, values, size }
}

/** The values of the products that a group asks for, one product after another, each value once. */
const readProducts = (products, { tags, vendors, ids, size }) => {
  const ends = new Int32Array(products.length)
  const lengths = new Int32Array(size)
  const lasts = new Int32Array(size).fill(-1)
  let values = new Int32Array(products.length * 8)
  let count = 0
  for (let position = 0; position < products.length; position += 1) {
    const product = products[position]
    const own = product.tags
    if (count + 3 + own.length > values.length) {
      const larger = new Int32Array(values.length * 2 + own.length)
      larger.set(values)
      values = larger
    }
    const note = (number) => {
      if (number < 0 || lasts[number] === position) return
      lasts[number] = position
      lengths[number] += 1
      values[count++] = number
    }
    for (let at = 0; at < own.length; at += 1) note(tags.found(own[at]))
    note(vendors.found(product.vendor))
    note(ids.get(product.id) ?? -1)
    note(ids.get(product.externalId) ?? -1)
    ends[position] = count
  }
  return { values, ends, lengths }
}

const ones = (word) => {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

const carry = (a, b, c) => (a & b) | ((a ^ b) & c)

/** How many bits are set: full adders on words, so that one word of eight is counted by itself. */
const countBits = (row, words) => {
  let [one, two, four, count, at] = [0, 0, 0, 0, 0]
  for (; at + 7 < words; at += 8) {
    const twoA = carry(one, row[at], row[at + 1])
    one ^= row[at] ^ row[at + 1]
    const twoB = carry(one, row[at + 2], row[at + 3])
    one ^= row[at + 2] ^ row[at + 3]
    const fourA = carry(two, twoA, twoB)
    two ^= twoA ^ twoB
    const twoC = carry(one, row[at + 4], row[at + 5])
    one ^= row[at + 4] ^ row[at + 5]
    const twoD = carry(one, row[at + 6], row[at + 7])
    one ^= row[at + 6] ^ row[at + 7]
    const fourB = carry(two, twoC, twoD)
    two ^= twoC ^ twoD
    count += ones(carry(four, fourA, fourB))
    four ^= fourA ^ fourB
  }
  count = count * 8 + ones(four) * 4 + ones(two) * 2 + ones(one)
  for (; at < words; at += 1) count += ones(row[at])
  return count
}

/** Which groups are worked out product by product, and which by uniting bits. */
const [byProduct, byBits] = [1, 2]

const waysOf = ({ starts, values }, { lengths }, words) => {
  const ways = new Uint8Array(starts.length - 1)
  for (let group = 0; group < ways.length; group += 1) {
    let sum = 0
    for (let at = starts[group]; at < starts[group + 1]; at += 1) sum += lengths[values[at]]
    ways[group] = sum <= words / 2 ? byProduct : byBits
  }
  return ways
}

/** For each value the groups that are worked out product by product. */
const askersOf = ({ starts, values, size }, ways) => {
  const from = new Int32Array(size + 1)
  for (let group = 0; group < ways.length; group += 1) {
    if (ways[group] !== byProduct) continue
    for (let at = starts[group]; at < starts[group + 1]; at += 1) from[values[at] + 1] += 1
  }
  for (let value = 0; value < size; value += 1) from[value + 1] += from[value]
  const next = from.slice()
  const askers = new Int32Array(from[size])
  for (let group = 0; group < ways.length; group += 1) {
    if (ways[group] !== byProduct) continue
    for (let at = starts[group]; at < starts[group + 1]; at += 1) askers[next[values[at]]++] = group
  }
  return { from, askers }
}

const countByProduct = (rules, listed, ways, counts) => {
  const { from, askers } = askersOf(rules, ways)
  const lasts = new Int32Array(ways.length).fill(-1)
  const { values, ends } = listed
  let at = 0
  for (let position = 0; position < ends.length; position += 1) {
    for (const end = ends[position]; at < end; at += 1) {
      const value = values[at]
      for (let next = from[value], last = from[value + 1]; next < last; next += 1) {
        const group = askers[next]
        if (lasts[group] === position) continue
        lasts[group] = position
        counts[group] += 1
      }
    }
  }
}

/** The positions of each value that a group of the second kind has, as bits. */
const rowsOf = ({ starts, values: asked, size }, { values, ends }, ways, words) => {
  const rows = Array.from({ length: size })
  for (let group = 0; group < ways.length; group += 1) {
    if (ways[group] !== byBits) continue
    for (let at = starts[group]; at < starts[group + 1]; at += 1) {
      rows[asked[at]] ??= new Int32Array(words)
    }
  }
  let at = 0
  for (let position = 0; position < ends.length; position += 1) {
    for (const end = ends[position]; at < end; at += 1) {
      const row = rows[values[at]]
      if (row !== undefined) row[position >>> 5] |= 1 << (position & 31)
    }
  }
  return rows
}

const unite = (rows, { starts, values }, group, words, united) => {
  const from = starts[group]
  const many = starts[group + 1] - from
  const a = rows[values[from]]
  const b = many > 1 ? rows[values[from + 1]] : a
  const c = many > 2 ? rows[values[from + 2]] : b
  const d = many > 3 ? rows[values[from + 3]] : c
  for (let at = 0; at < words; at += 1) united[at] = a[at] | b[at] | c[at] | d[at]
  for (let next = 4; next < many; next += 1) {
    const row = rows[values[from + next]]
    for (let at = 0; at < words; at += 1) united[at] |= row[at]
  }
}

const countByBits = (rules, listed, ways, counts) => {
  const words = (listed.ends.length + 31) >>> 5
  const rows = rowsOf(rules, listed, ways, words)
  const united = new Int32Array(words)
  for (let group = 0; group < ways.length; group += 1) {
    if (ways[group] !== byBits) continue
    const from = rules.starts[group]
    if (rules.starts[group + 1] - from === 1) counts[group] = listed.lengths[rules.values[from]]
    else {
      unite(rows, rules, group, words, united)
      counts[group] = countBits(united, words)
    }
  }
}

const turn = (groups, size, counts) => {
  for (let group = 0; group < groups.length; group += 1) {
    const { type, modifier } = groups[group].link
    if (type === "products.all") counts[group] = size
    if (modifier === "NOT") counts[group] = size - counts[group]
  }
}

/** For each group how many of the products it is linked to. */
export const countLinks = (groups, products) => {
  const rules = readGroups(groups)
  const listed = readProducts(products, rules)
  const ways = waysOf(rules, listed, (products.length + 31) >>> 5)
  const counts = new Int32Array(groups.length)
  countByProduct(rules, listed, ways, counts)
  countByBits(rules, listed, ways, counts)
  turn(groups, products.length, counts)
  return counts
}

/** All bits of a row as positions, from a place in a list on; where they end. */
const unfold = (row, list, from) => {
  let end = from
  for (let at = 0; at < row.length; at += 1) {
    let word = row[at]
    while (word !== 0) {
      list[end++] = at * 32 + 31 - Math.clz32(word & -word)
      word &= word - 1
    }
  }
  return end
}

/** For each group all positions of its products, in a list that the next group overwrites. */
export const eachLinked = (groups, products, visit) => {
  const size = products.length
  const words = (size + 31) >>> 5
  const rules = readGroups(groups)
  const listed = readProducts(products, rules)
  const starts = new Int32Array(rules.size + 1)
  for (let value = 0; value < rules.size; value += 1)
    starts[value + 1] = starts[value] + listed.lengths[value]
  const next = starts.slice()
  const positions = new Int32Array(starts[rules.size])
  for (let position = 0, at = 0; position < size; position += 1) {
    for (; at < listed.ends[position]; at += 1) positions[next[listed.values[at]]++] = position
  }
  const row = new Int32Array(words)
  const list = new Int32Array(size)
  for (let group = 0; group < groups.length; group += 1) {
    const { type, modifier } = groups[group].link
    row.fill(type === "products.all" ? -1 : 0)
    for (let at = rules.starts[group]; at < rules.starts[group + 1]; at += 1) {
      const value = rules.values[at]
      for (let each = starts[value]; each < starts[value + 1]; each += 1) {
        const position = positions[each]
        row[position >>> 5] |= 1 << (position & 31)
      }
    }
    if (modifier === "NOT") for (let at = 0; at < words; at += 1) row[at] = ~row[at]
    if (size % 32 !== 0) row[words - 1] &= (1 << (size % 32)) - 1
    visit(group, list, unfold(row, list, 0))
  }
}
