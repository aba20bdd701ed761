// Rule engines, each as its own documentation teaches it, in the fastest form that was found. What they are
// asked: the ids of all groups that match a line, in no order. They get ready facts, and their rules compare
// folded text.
import { createMongoAbility, subject } from "@casl/ability"
import { ZenDecisionContent, ZenEngine } from "@gorules/zen-engine"
import { LogicEngine } from "json-logic-engine"
import { Engine } from "json-rules-engine"
import { factsFor } from "./facts.mjs"
import { conditionOf, linkOf } from "./text.mjs"

/** What a group asks: of the product, of the order, of the time; each may be absent. */
const demandsOf = (group) => {
  const link = linkOf(group)
  const condition = conditionOf(group)
  const tests = []
  if (link.type !== "products.all") tests.push({ facts: factsFor[link.type], ...link })
  if (condition !== null) tests.push({ facts: factsFor[condition.type], ...condition })
  return { id: group.id, tests, startsAt: group.startsAt ?? null, endsAt: group.endsAt ?? null }
}

/** All but nothing: a group for NOT all products can never match, and is no rule. */
const isPossible = ({ link }) => !(link.type === "products.all" && link.modifier === "NOT")

const allDemands = (groups) => groups.filter(isPossible).map(demandsOf)

// --- json-rules-engine: one rule a group, operators of its own for lists, the events tell which matched

const rulesOf = ({ id, tests, startsAt, endsAt }) => {
  const all = tests.map(({ facts, values, not }) => ({
    fact: facts.list,
    operator: not ? "hasNone" : "hasAny",
    value: new Set(values),
  }))
  if (startsAt !== null) all.push({ fact: "at", operator: "greaterThanInclusive", value: startsAt })
  if (endsAt !== null) all.push({ fact: "at", operator: "lessThan", value: endsAt })
  return { conditions: { all }, event: { type: id } }
}

export const makeJsonRules = (groups) => {
  const engine = new Engine(allDemands(groups).map(rulesOf))
  engine.addOperator("hasAny", (fact, values) => fact.some((value) => values.has(value)))
  engine.addOperator("hasNone", (fact, values) => !fact.some((value) => values.has(value)))
  return {
    name: "json-rules-engine",
    match: async (facts) => {
      const { events } = await engine.run(facts)
      return events.map(({ type }) => type)
    },
  }
}

// --- zen-engine: a decision made once, as one expression, or as a table in which every row counts

const literals = (values) => `[${values.map((value) => JSON.stringify(value)).join(", ")}]`

/** Facts with one value are compared, lists are looked through: three times as fast as lists for all. */
const zenHas = ({ facts, values }) => {
  if (facts.single === undefined) {
    return values.map((value) => `contains(${facts.list}, ${JSON.stringify(value)})`)
  }
  return facts.single.map((fact) =>
    values.length === 1
      ? `${fact} == ${JSON.stringify(values[0])}`
      : `${fact} in ${literals(values)}`,
  )
}

const zenTest = (test) => `${test.not ? "not " : ""}(${zenHas(test).join(" or ")})`

const zenTests = ({ tests, startsAt, endsAt }) => [
  ...(startsAt === null ? [] : [`at >= ${startsAt}`]),
  ...(endsAt === null ? [] : [`at < ${endsAt}`]),
  ...tests.map(zenTest),
]

const zenDecision = (node) => {
  const edge = (id, sourceId, targetId) => ({ id, type: "edge", sourceId, targetId })
  const content = {
    nodes: [
      { id: "in", type: "inputNode", name: "in" },
      { id: "node", name: "node", ...node },
      { id: "out", type: "outputNode", name: "out" },
    ],
    edges: [edge("a", "in", "node"), edge("b", "node", "out")],
  }
  return new ZenEngine().createDecision(new ZenDecisionContent(content))
}

export const makeZenExpression = (groups) => {
  const parts = allDemands(groups).map((demands) => {
    const asked = zenTests(demands).join(" and ") || "true"
    return `(${asked}) ? ${JSON.stringify(demands.id)} : null`
  })
  const value = `filter([${parts.join(", ")}], # != null)`
  const decision = zenDecision({
    type: "expressionNode",
    content: { expressions: [{ id: "e", key: "matches", value }] },
  })
  return {
    name: "zen-engine, one expression",
    match: async (facts) => (await decision.evaluate(facts)).result.matches,
  }
}

export const makeZenTable = (groups) => {
  const rules = allDemands(groups).map((demands, index) => ({
    _id: String(index),
    asked: zenTests(demands).join(" and "),
    group: JSON.stringify(demands.id),
  }))
  const decision = zenDecision({
    type: "decisionTableNode",
    content: {
      hitPolicy: "collect",
      // A column without a field holds whole expressions; one column is faster than one for each part.
      inputs: [{ id: "asked", name: "asked", type: "expression" }],
      outputs: [{ id: "group", name: "group", field: "group", type: "expression" }],
      rules,
    },
  })
  return {
    name: "zen-engine, a table",
    match: async (facts) => (await decision.evaluate(facts)).result.map(({ group }) => group),
  }
}

// --- json-logic-engine: compiled, a hundred groups a function (one for each, or one for all, is slower)

const logicHas = ({ facts, values }) => {
  const any =
    facts.single === undefined
      ? values.map((value) => ({ in: [value, { var: facts.list }] }))
      : facts.single.map((fact) =>
          values.length === 1
            ? { "===": [{ var: fact }, values[0]] }
            : { in: [{ var: fact }, values] },
        )
  return any.length === 1 ? any[0] : { or: any }
}

const logicOf = ({ id, tests, startsAt, endsAt }) => {
  const and = []
  if (startsAt !== null) and.push({ ">=": [{ var: "at" }, startsAt] })
  if (endsAt !== null) and.push({ "<": [{ var: "at" }, endsAt] })
  for (const test of tests) and.push(test.not ? { "!": [logicHas(test)] } : logicHas(test))
  return { if: [and.length === 0 ? true : { and }, id, null] }
}

export const makeJsonLogic = (groups) => {
  const engine = new LogicEngine()
  const logic = allDemands(groups).map(logicOf)
  const compiled = []
  for (let from = 0; from < logic.length; from += 100) {
    compiled.push(engine.build(logic.slice(from, from + 100)))
  }
  return {
    name: "json-logic-engine, compiled",
    match: (facts) => {
      const found = []
      for (const ask of compiled) for (const id of ask(facts)) if (id !== null) found.push(id)
      return found
    },
  }
}

// --- CASL: one rule a group, its conditions a query

const queryOf = ({ tests, startsAt, endsAt }) => {
  const query = {}
  for (const { facts, values, not } of tests) {
    query[facts.list] = not ? { $nin: values } : { $in: values }
  }
  if (startsAt !== null) query.at = { ...query.at, $gte: startsAt }
  if (endsAt !== null) query.at = { ...query.at, $lt: endsAt }
  return Object.keys(query).length === 0 ? {} : { conditions: query }
}

export const makeCasl = (groups) => {
  const ability = createMongoAbility(
    allDemands(groups).map((demands) => ({
      action: "pay",
      subject: "Line",
      reason: demands.id,
      ...queryOf(demands),
    })),
  )
  return {
    name: "CASL",
    match: (facts) => {
      const line = subject("Line", facts)
      const found = []
      for (const rule of ability.rulesFor("pay", "Line")) {
        if (rule.matchesConditions(line)) found.push(rule.reason)
      }
      return found
    },
  }
}

export const engines = [makeZenExpression, makeZenTable, makeJsonLogic, makeCasl, makeJsonRules]
