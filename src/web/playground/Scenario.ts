/** What the page is about: groups, an order and a policy as JSON, and what the library reads in them. */
import * as Result from "effect/Result"
import type * as CoreOrder from "../../orders/Order.js"
import type { Problem } from "../../Problem.js"
import * as ProductGroup from "../../rules/ProductGroup.js"
import * as RuleSet from "../../rules/RuleSet.js"
import * as CountedRules from "../../terms/CountedRules.js"
import type * as CoreCounters from "../../terms/Counters.js"
import * as Counters from "../../wire/Counters.js"
import * as Group from "../../wire/Group.js"
import * as Order from "../../wire/Order.js"
import * as Policy from "../../wire/Policy.js"

/** A JSON object. */
export interface JsonObject {
  readonly [name: string]: unknown
}

/** Everything that the page shows, as the command line's files hold it. */
export interface Scenario {
  readonly groups: ReadonlyArray<unknown>
  readonly order: unknown
  readonly policy: unknown
  /** What was counted before, for groups with terms. */
  readonly counters: ReadonlyArray<unknown>
  /** The groups that these are compared with. */
  readonly other: ReadonlyArray<unknown> | null
}

/** What was read, or why not. */
export interface ScenarioReading<Value> {
  readonly value: Value | undefined
  readonly problems: ReadonlyArray<Problem>
}

export const isFields = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const ofResult = <Value>(
  result: Result.Result<Value, { readonly problems: ReadonlyArray<Problem> }>,
): ScenarioReading<Value> =>
  Result.isSuccess(result)
    ? { value: result.success, problems: [] }
    : { value: undefined, problems: result.failure.problems }

const misspelt = (group: unknown): ReadonlyArray<Problem> =>
  isFields(group)
    ? Object.keys(group)
        .filter((name) => !Group.fields.includes(name))
        .map((name) => ({
          path: name,
          value: group[name],
          message: `is no field of a group; the fields are ${Group.fields.join(", ")}`,
        }))
    : []

/** A group whose percentage may be in tiers. */
type ScenarioGroup = Group.TermedGroup

const isTermed = ({ terms }: ScenarioGroup): boolean => terms != null

/** The group as the core has it; with terms it is one of rules of its own. */
const checkedGroup = (
  group: ScenarioGroup,
): Result.Result<ScenarioGroup, { readonly problems: ReadonlyArray<Problem> }> =>
  isTermed(group) ? Result.map(CountedRules.parse([group]), () => group) : ProductGroup.parse(group)

const ofGroup = (input: unknown): ScenarioReading<ScenarioGroup> => {
  const read = ofResult(Result.flatMap(Group.read(input), checkedGroup))
  const unknown = misspelt(input)
  return unknown.length === 0
    ? read
    : { value: undefined, problems: [...read.problems, ...unknown] }
}

const groupsRead = new WeakMap<object, ScenarioReading<ScenarioGroup>>()

/** A group read once: the page reads only the one that changed. */
export const readGroup = (input: unknown): ScenarioReading<ScenarioGroup> => {
  if (!isFields(input)) return ofGroup(input)
  const known = groupsRead.get(input)
  if (known !== undefined) return known
  const read = ofGroup(input)
  groupsRead.set(input, read)
  return read
}

const at = (path: string, inside: string): string =>
  inside === "" || inside.startsWith("[") ? `${path}${inside}` : `${path}.${inside}`

/** What an order is split with. */
export interface ScenarioRules {
  /** For matching: a group with tiers has its highest percentage in it. */
  readonly plain: RuleSet.RuleSet
  /** Only where groups have terms. */
  readonly counted: CountedRules.CountedRules | undefined
}

/** Compiled rules, and the groups in them as they were read. */
interface CompiledGroups {
  readonly groups: ReadonlyArray<ScenarioGroup>
  readonly rules: ScenarioRules
}

/** The rule sets that were compiled last: the one that is edited, and the one that it is compared with. */
let compiled: ReadonlyArray<CompiledGroups> = []

/** The same rule set with one group changed, where that is all that differs: it costs what that group costs. */
const changed = (
  { groups: before, rules }: CompiledGroups,
  groups: ReadonlyArray<ScenarioGroup>,
): ScenarioRules | undefined => {
  if (before.length !== groups.length) return undefined
  const [place, ...others] = groups.flatMap((group, place) =>
    group === before[place] ? [] : [place],
  )
  if (place === undefined) return rules
  const group = groups[place]
  const isOne = others.length === 0 && group?.id === before[place]?.id
  if (!isOne || group === undefined || rules.counted !== undefined || isTermed(group)) {
    return undefined
  }
  return { plain: RuleSet.put(rules.plain, group), counted: undefined }
}

const ofGroups = (groups: ReadonlyArray<ScenarioGroup>): ScenarioReading<ScenarioRules> => {
  const read: Result.Result<ScenarioRules, RuleSet.InvalidRuleSet> = groups.some(isTermed)
    ? Result.map(CountedRules.parse(groups), (counted) => ({
        plain: CountedRules.highest(counted),
        counted,
      }))
    : Result.map(RuleSet.parse(groups), (plain) => ({ plain, counted: undefined }))
  return ofResult(read)
}

/** Compiles groups; where one of many was changed, just that one. */
const compile = (groups: ReadonlyArray<ScenarioGroup>): ScenarioReading<ScenarioRules> => {
  for (const known of compiled) {
    const rules = changed(known, groups)
    if (rules === undefined) continue
    compiled = [{ groups, rules }, ...compiled.filter((one) => one !== known)]
    return { value: rules, problems: [] }
  }
  const read = ofGroups(groups)
  if (read.value !== undefined) compiled = [{ groups, rules: read.value }, ...compiled].slice(0, 2)
  return read
}

/** The groups as rules, with each problem's path in the list: `[3].percent`. */
export const readGroups = (inputs: ReadonlyArray<unknown>): ScenarioReading<ScenarioRules> => {
  const read = inputs.map(readGroup)
  const problems = read.flatMap((one, index) =>
    one.problems.map((problem) => ({ ...problem, path: at(`[${index}]`, problem.path) })),
  )
  if (problems.length > 0) return { value: undefined, problems }
  return compile(read.flatMap(({ value }) => value ?? []))
}

export const readOrder = (input: unknown): ScenarioReading<CoreOrder.Order> =>
  ofResult(Order.read(input))

export const readPolicy = (input: unknown): ScenarioReading<Policy.PolicyFile> =>
  ofResult(Policy.read(input))

export const readCounters = (
  input: ReadonlyArray<unknown>,
): ScenarioReading<CoreCounters.Counters> => ofResult(Counters.read(input))

const isPlain = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === false ||
  (Array.isArray(value) && value.length === 0)

/** Leaves out what says nothing: a group or an order as a person would write it. */
const brief = (fields: JsonObject, usual: JsonObject = {}): JsonObject =>
  Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => !isPlain(value) && usual[name] !== value),
  )

/** A group as the form edits it: as the library writes it, where it can be read. */
export const groupFields = (input: unknown): JsonObject => {
  const { value } = readGroup(input)
  if (value !== undefined) return brief({ ...Group.writeRequest(value) }, { type_modifier: "WITH" })
  return isFields(input) ? input : {}
}

const briefProduct = (product: unknown): unknown => (isFields(product) ? brief(product) : product)

const nothing: JsonObject = { discount: 0, shipping_amount: 0, gateway_fee: 0 }

const briefOrder = (order: JsonObject): JsonObject => {
  const items = Array.isArray(order.items) ? order.items : []
  const customer = isFields(order.customer) ? brief(order.customer) : {}
  return {
    ...brief(order, nothing),
    ...(Object.keys(customer).length === 0 ? { customer: undefined } : { customer }),
    items: items.map((item: unknown) =>
      isFields(item) ? { ...brief(item, nothing), product: briefProduct(item.product) } : item,
    ),
  }
}

/** An order in the format of the command line, without what says nothing. */
export const writeOrder = (order: CoreOrder.Order): JsonObject =>
  JSON.parse(JSON.stringify(briefOrder({ ...Order.write(order) })))

/** An order as the form edits it. */
export const orderFields = (input: unknown): JsonObject => {
  const { value } = readOrder(input)
  return value === undefined ? (isFields(input) ? input : {}) : writeOrder(value)
}
