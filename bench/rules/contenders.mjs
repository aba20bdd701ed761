// All that match lines, in one shape: `matchOrders(orders)` for the race, which counts the groups found and makes
// nothing else of them, and `idsOf(orders)`, the groups' ids for each line, to be compared beforehand.
import { RuleSet } from "../../dist/index.js"
import { makeIndex, makeScan } from "./byHand.mjs"
import { makeLimit } from "./limit.mjs"

const apportion = (groups) => {
  const rules = RuleSet.make(groups)
  return {
    matchOrders: (orders) => {
      let found = 0
      for (const order of orders) {
        for (const groups of RuleSet.matchingByItem(rules, order)) found += groups.length
      }
      return found
    },
    idsOf: (orders) =>
      orders.flatMap((order) =>
        RuleSet.matchingByItem(rules, order).map((groups) => groups.map((group) => group.id)),
      ),
  }
}

const limit = (options) => (groups) => {
  const compiled = makeLimit(groups, options)
  return {
    matchOrders: (orders) => {
      let found = 0
      for (const order of orders) {
        compiled.begin(order)
        for (const item of order.items) found += compiled.match(item)
      }
      return found
    },
    idsOf: (orders) =>
      orders.flatMap((order) => {
        compiled.begin(order)
        return order.items.map((item) => {
          compiled.match(item)
          return compiled.groupsFound().map((group) => group.id)
        })
      }),
  }
}

/** The same, and each answer is a list of groups that can be kept, as the library's is. */
const limitOfLists = (options) => (groups) => {
  const compiled = makeLimit(groups, options)
  const listsOf = (order) => {
    compiled.begin(order)
    return order.items.map((item) => {
      compiled.match(item)
      return compiled.groupsFound()
    })
  }
  return {
    matchOrders: (orders) => {
      let found = 0
      for (const order of orders) for (const groups of listsOf(order)) found += groups.length
      return found
    },
    idsOf: (orders) =>
      orders.flatMap((order) => listsOf(order).map((list) => list.map(({ id }) => id))),
  }
}

const byHand = (make) => (groups) => {
  const matcher = make(groups)
  return {
    matchOrders: (orders) => {
      let found = 0
      const count = (matching) => {
        found += matching.length
      }
      for (const order of orders) matcher.matchOrder(order, count)
      return found
    },
    idsOf: (orders) => {
      const ids = []
      const note = (matching) => ids.push(matching.map((group) => group.id))
      for (const order of orders) matcher.matchOrder(order, note)
      return ids
    },
  }
}

export const names = {
  apportion: "apportion",
  limit: "limit by hand",
  remembering: "limit by hand, remembering products",
  lists: "limit by hand that makes lists of groups",
  rememberingLists: "the same, remembering products",
  index: "Map of lists of objects, by hand",
  scan: "scan over all groups, by hand",
}

/** From groups to a matcher that gives its groups in the order of precedence. */
export const makers = {
  [names.apportion]: apportion,
  [names.limit]: limit({ remembering: false }),
  [names.remembering]: limit({ remembering: true }),
  [names.lists]: limitOfLists({ remembering: false }),
  [names.rememberingLists]: limitOfLists({ remembering: true }),
  [names.index]: byHand(makeIndex),
  [names.scan]: byHand(makeScan),
}
