// The limit: matching written by hand for this one question, in typed arrays, with nothing else in mind.
//
// Each spelling of a value is a number after it was seen once. The postings of a value are ranks in order of
// specificity. An answer is a count, and as many ranks in a buffer that the next answer overwrites: no group,
// no list and no other object is made for it. It is no library: a rule set can't be changed, and an answer that
// is not used up at once is gone.
import { bySpecificity, conditionOf, fold, foldCountry, linkOf } from "./text.mjs"

/** Forget all spellings when there are more than this: a bound, so that no flood of texts fills the memory. */
const mostSpellings = 1 << 20
const mostProducts = 1 << 17

/** Beyond this many candidates, marking bits and reading them in order beats inserting in place. */
const fewCandidates = 96

/** Numbers for texts; folded texts are known from the rules, spellings are learnt as they come. */
class Vocabulary {
  constructor(foldText) {
    this.foldText = foldText
    this.numbers = new Map()
    this.spellings = new Map()
  }
  /** The number of a rule's value. */
  add(value) {
    const known = this.numbers.get(value)
    if (known !== undefined) return known
    this.numbers.set(value, this.numbers.size)
    return this.numbers.size - 1
  }
  /** The number of an order's value, -1 when no rule asks for it. */
  numberOf(text) {
    const known = this.spellings.get(text)
    return known === undefined ? this.learn(text) : known
  }
  learn(text) {
    if (this.spellings.size >= mostSpellings) this.spellings.clear()
    const number = this.numbers.get(this.foldText(text)) ?? -1
    this.spellings.set(text, number)
    return number
  }
}

/** Lists of numbers in one array, list n from `starts[n]` to `starts[n + 1]`. */
const pack = (lists) => {
  const starts = new Int32Array(lists.length + 1)
  for (const [index, list] of lists.entries()) starts[index + 1] = starts[index] + list.length
  const values = new Int32Array(starts[lists.length])
  for (const [index, list] of lists.entries()) values.set(list, starts[index])
  return { starts, values }
}

/** One kind of link: what each value selects, what it bars (NOT), and all groups with NOT. */
const makeSection = (foldText) => ({
  words: new Vocabulary(foldText),
  selects: [],
  bars: [],
  nots: [],
  from: 0,
  to: 0,
})

const addGroup = (section, rank, link) => {
  if (link.not) section.nots.push(rank)
  for (const value of link.values) {
    const number = section.words.add(value)
    const lists = link.not ? section.bars : section.selects
    for (const each of [section.selects, section.bars]) each[number] ??= []
    lists[number].push(rank)
  }
}

const identity = (text) => text

const conditionTypes = ["order.tag", "customer.tag", "discount.code", "country.code", "referer"]

const sealed = (section) => ({
  words: section.words,
  selects: pack(section.selects),
  bars: pack(section.bars),
  nots: Int32Array.from(section.nots),
  from: section.from,
  to: section.to,
})

const makeSections = (groups) => {
  const sections = {
    products: makeSection(identity),
    "products.tag": makeSection(fold),
    "products.vendor": makeSection(fold),
  }
  const all = []
  for (const [rank, group] of groups.entries()) {
    const link = linkOf(group)
    if (link.type !== "products.all") {
      const section = sections[link.type]
      addGroup(section, rank, link)
      if (section.to === 0) section.from = rank
      section.to = rank + 1
    } else if (!link.not) all.push(rank)
  }
  return {
    ids: sealed(sections.products),
    tags: sealed(sections["products.tag"]),
    vendors: sealed(sections["products.vendor"]),
    all: Int32Array.from(all),
  }
}

/** What groups ask of an order: by rank, the number of the condition, twice, plus one when it has dates. */
const makeDemands = (groups) => {
  const words = Object.fromEntries(
    conditionTypes.map((type) => [
      type,
      new Vocabulary(type === "country.code" ? foldCountry : fold),
    ]),
  )
  // All kinds of values share one row of numbers, so that one array can say which are there.
  const numbers = new Map()
  const known = new Map()
  // The first condition is none: no value, NOT, so it always holds.
  const [values, nots] = [[[]], [1]]
  const conditionNumber = (condition) => {
    if (condition === null) return 0
    const key = JSON.stringify(condition)
    const found = known.get(key)
    if (found !== undefined) return found
    values.push(
      condition.values.map((value) => {
        const name = `${condition.type} ${value}`
        if (!numbers.has(name)) {
          numbers.set(name, numbers.size)
          words[condition.type].numbers.set(value, numbers.size - 1)
        }
        return numbers.get(name)
      }),
    )
    nots.push(condition.not ? 1 : 0)
    known.set(key, known.size + 1)
    return known.size
  }
  const demands = new Int32Array(groups.length)
  const starts = new Float64Array(groups.length).fill(Number.NEGATIVE_INFINITY)
  const ends = new Float64Array(groups.length).fill(Number.POSITIVE_INFINITY)
  for (const [rank, group] of groups.entries()) {
    const isDated = group.startsAt != null || group.endsAt != null
    demands[rank] = conditionNumber(conditionOf(group)) * 2 + Number(isDated)
    if (group.startsAt != null) starts[rank] = group.startsAt
    if (group.endsAt != null) ends[rank] = group.endsAt
  }
  const conditions = pack(values)
  return {
    words,
    demands,
    starts,
    ends,
    conditions,
    nots: Uint8Array.from(nots),
    size: numbers.size,
  }
}

const bitOf = (rank) => 1 << (rank & 31)

class Limit {
  constructor(groups, { remembering }) {
    const ranked = [...groups].sort(bySpecificity)
    this.groups = ranked
    this.sections = makeSections(ranked)
    this.orders = makeDemands(ranked)
    // The answer: this many of the first ranks in this buffer.
    this.ranks = new Int32Array(groups.length + 1)
    this.found = 0
    this.linked = new Int32Array(groups.length)
    this.linkedCount = 0
    this.bits = new Int32Array((groups.length >> 5) + 2)
    this.barred = new Int32Array(groups.length)
    this.present = new Int32Array(this.orders.size)
    // By condition: the number of the order for which it was answered, twice, plus one when it holds.
    this.states = new Int32Array(this.orders.nots.length)
    this.line = 0
    this.order = 0
    this.at = Number.NaN
    this.numbers = new Int32Array(64)
    this.products = remembering ? new Map() : null
  }

  /** Takes note of what an order says; must come before its lines. */
  begin(order) {
    this.order += 1
    // Not a number is not within any dates.
    this.at = order.createdAt ?? Number.NaN
    const { words } = this.orders
    this.note(words["order.tag"], order.tags)
    this.note(words["customer.tag"], order.customerTags)
    this.note(words["discount.code"], order.discountCodes)
    this.note(words.referer, order.referers)
    const country = order.billingCountry
    if (country != null) this.noteOne(words["country.code"], country)
  }

  note(words, texts) {
    if (texts === undefined) return
    for (let index = 0; index < texts.length; index += 1) this.noteOne(words, texts[index])
  }

  noteOne(words, text) {
    const number = words.numberOf(text)
    if (number >= 0) this.present[number] = this.order
  }

  /** Answers a condition for the order that was begun last: its mark and the answer, in one number. */
  ask(condition) {
    const { conditions, nots } = this.orders
    const { starts, values } = conditions
    const { present, order } = this
    let answer = nots[condition]
    for (let index = starts[condition]; index < starts[condition + 1]; index += 1) {
      if (present[values[index]] !== order) continue
      answer = 1 - nots[condition]
      break
    }
    const state = order * 2 + answer
    this.states[condition] = state
    return state
  }

  /** Matches a line of the order that was begun last: how many groups, their ranks in `ranks`. */
  match(item) {
    const { product } = item
    if (this.products === null) {
      this.link(product)
      return this.filter(this.linked, this.linkedCount)
    }
    const known = this.products.get(product.id)
    if (known !== undefined && isSame(known.product, product)) {
      return this.filter(known.linked, known.linked.length)
    }
    this.link(product)
    if (this.products.size >= mostProducts) this.products.clear()
    const linked = this.linked.slice(0, this.linkedCount)
    this.products.set(product.id, { product, linked })
    return this.filter(linked, linked.length)
  }

  /** Of the groups that take the product, those that take the order too. */
  filter(linked, count) {
    const { demands, starts, ends } = this.orders
    const { ranks, at, states, order } = this
    let found = 0
    for (let index = 0; index < count; index += 1) {
      const rank = linked[index]
      const demand = demands[rank]
      let state = states[demand >> 1]
      if (state >> 1 !== order) state = this.ask(demand >> 1)
      // Written whatever the answer, and kept if it is yes: a branch that nobody can foresee costs more.
      ranks[found] = rank
      if ((demand & 1) === 0) found += state & 1
      else if (starts[rank] <= at && at < ends[rank]) found += state & 1
    }
    this.found = found
    return found
  }

  /** Finds the groups whose link takes the product, in order: ids, then tags, then vendors, then all. */
  link(product) {
    const { ids, tags, vendors, all } = this.sections
    const room = (product.tags?.length ?? 0) + 2
    if (room > this.numbers.length) this.numbers = new Int32Array(room * 2)
    const { numbers } = this
    this.linkedCount = 0
    this.line += 1
    let count = 0
    const id = ids.words.numbers.get(product.id)
    if (id !== undefined) numbers[count++] = id
    if (product.externalId !== undefined) {
      const other = ids.words.numbers.get(product.externalId)
      if (other !== undefined) numbers[count++] = other
    }
    this.linkSection(ids, count)
    count = 0
    if (product.tags !== undefined) {
      for (let index = 0; index < product.tags.length; index += 1) {
        const number = tags.words.numberOf(product.tags[index])
        if (number >= 0) numbers[count++] = number
      }
    }
    this.linkSection(tags, count)
    count = 0
    if (product.vendor !== undefined) {
      const number = vendors.words.numberOf(product.vendor)
      if (number >= 0) this.numbers[count++] = number
    }
    this.linkSection(vendors, count)
    this.linked.set(all, this.linkedCount)
    this.linkedCount += all.length
  }

  linkSection(section, count) {
    const { numbers } = this
    const { starts } = section.selects
    let candidates = section.nots.length
    for (let index = 0; index < count; index += 1) {
      candidates += starts[numbers[index] + 1] - starts[numbers[index]]
    }
    if (candidates === 0) return
    if (section.nots.length > 0) this.bar(section, count)
    if (candidates <= fewCandidates) this.insertAll(section, count)
    else this.markAll(section, count)
  }

  /** Marks the groups with NOT that one of the product's values bars. */
  bar(section, count) {
    const { starts, values } = section.bars
    for (let each = 0; each < count; each += 1) {
      const number = this.numbers[each]
      for (let index = starts[number]; index < starts[number + 1]; index += 1) {
        this.barred[values[index]] = this.line
      }
    }
  }

  /** Few candidates: each is put in its place among those that are there. */
  insertAll(section, count) {
    const { starts, values } = section.selects
    const { linked, barred, line, numbers } = this
    const base = this.linkedCount
    let top = base
    for (let each = 0; each < count; each += 1) {
      const number = numbers[each]
      const to = starts[number + 1]
      for (let index = starts[number]; index < to; index += 1) {
        const rank = values[index]
        let place = top
        while (place > base && linked[place - 1] > rank) place -= 1
        if (place > base && linked[place - 1] === rank) continue
        for (let moved = top; moved > place; moved -= 1) linked[moved] = linked[moved - 1]
        linked[place] = rank
        top += 1
      }
    }
    const { nots } = section
    for (let index = 0; index < nots.length; index += 1) {
      const rank = nots[index]
      if (barred[rank] === line) continue
      let place = top
      while (place > base && linked[place - 1] > rank) place -= 1
      for (let moved = top; moved > place; moved -= 1) linked[moved] = linked[moved - 1]
      linked[place] = rank
      top += 1
    }
    this.linkedCount = top
  }

  /** Many candidates: each is a bit, and the bits are read in order. */
  markAll(section, count) {
    const { starts, values } = section.selects
    const { bits, barred, line, numbers, linked } = this
    for (let each = 0; each < count; each += 1) {
      const number = numbers[each]
      const to = starts[number + 1]
      for (let index = starts[number]; index < to; index += 1) {
        const rank = values[index]
        bits[rank >> 5] |= bitOf(rank)
      }
    }
    const { nots } = section
    for (let index = 0; index < nots.length; index += 1) {
      const rank = nots[index]
      if (barred[rank] !== line) bits[rank >> 5] |= bitOf(rank)
    }
    let top = this.linkedCount
    const last = (section.to - 1) >> 5
    for (let word = section.from >> 5; word <= last; word += 1) {
      let left = bits[word]
      while (left !== 0) {
        const bit = left & -left
        linked[top++] = (word << 5) + 31 - Math.clz32(bit)
        left ^= bit
      }
      bits[word] = 0
    }
    this.linkedCount = top
  }

  /** The groups that were found last, as a list that is the caller's to keep. */
  groupsFound() {
    const { ranks, groups, found } = this
    const list = []
    for (let index = 0; index < found; index += 1) list.push(groups[ranks[index]])
    return list
  }
}

const isSame = (left, right) => {
  if (left.vendor !== right.vendor || left.externalId !== right.externalId) return false
  const [some, others] = [left.tags, right.tags]
  if (some === undefined || others === undefined) return some === others
  if (some.length !== others.length) return false
  for (let index = 0; index < some.length; index += 1) {
    if (some[index] !== others[index]) return false
  }
  return true
}

/** Compiles groups; `remembering`: keep what each product's links matched, as long as it says the same. */
export const makeLimit = (groups, { remembering = false } = {}) =>
  new Limit(groups, { remembering })
