/** Product groups as requests have them, field by field, each value written as JSON. */
import fc from "fast-check"
import { json, oddText, safeNumber, structures, unsafeNumbers, written } from "./Odd.js"

export type Fields = ReadonlyArray<readonly [string, string]>

const valueText = oddText.filter((text) => text.trim() !== "")
const values = fc.array(written(valueText), { minLength: 1, maxLength: 4 }).map(listOf)

const productId = fc.oneof(
  written(valueText),
  fc.constantFrom('"p1"', '"x-p2"', "0", "632910392", "9007199254740991"),
)

function listOf(elements: ReadonlyArray<string>): string {
  return `[${elements.join(",")}]`
}

const link: fc.Arbitrary<Fields> = fc.oneof(
  fc.tuple(fc.constantFrom('"products.all"', '"product.all"'), json).map(
    ([type, items]): Fields => [
      ["itemType", type],
      ["items", items],
    ],
  ),
  fc.constant<Fields>([["itemType", '"products.all"']]),
  fc
    .tuple(
      fc.constantFrom('"products.tag"', '"product.tag"', '"products.vendor"', '"product.vendor"'),
      values,
    )
    .map(
      ([type, items]): Fields => [
        ["itemType", type],
        ["items", items],
      ],
    ),
  fc
    .tuple(
      fc.constantFrom('"products"', '"product"'),
      fc.array(productId, { minLength: 1, maxLength: 4 }).map(listOf),
    )
    .map(
      ([type, items]): Fields => [
        ["itemType", type],
        ["items", items],
      ],
    ),
)

const linkModifier: fc.Arbitrary<Fields> = fc
  .constantFrom(undefined, "null", "[]", '"WITH"', '"NOT"', '["NOT"]', '["WITH"]', '"not"')
  .map((value) => (value === undefined ? [] : [["type_modifier", value]]))

const textCondition = fc
  .tuple(fc.constantFrom('"order.tag"', '"customer.tag"', '"discount.code"', '"referer"'), values)
  .map(
    ([type, list]): Fields => [
      ["splitConditionType", type],
      ["splitConditions", list],
    ],
  )

const country = fc.constantFrom('"US"', '"de"', '" fr "', '"ZZ"')

const countryCondition = fc.array(country, { minLength: 1, maxLength: 3 }).map(
  (list): Fields => [
    ["splitConditionType", '"country.code"'],
    ["splitConditions", listOf(list)],
  ],
)

const condition: fc.Arbitrary<Fields> = fc.oneof(
  fc.constant<Fields>([
    ["splitConditionType", "null"],
    ["splitConditions", "[]"],
  ]),
  fc
    .tuple(fc.oneof(textCondition, countryCondition), fc.constantFrom("null", '"WITH"', '"NOT"'))
    .map(([fields, modifier]): Fields => [...fields, ["condition_modifier", modifier]]),
)

const percent = fc.constantFrom(
  ...[
    "0",
    "100",
    "12.5",
    "12.50",
    "0.01",
    "99.99",
    '"12.5"',
    '"12.50"',
    '"0"',
    '"100"',
    '"100.00"',
  ],
)

const pay: fc.Arbitrary<Fields> = fc.oneof(
  fc.tuple(fc.constantFrom("percent", "percentage"), percent).map(
    ([name, value]): Fields => [
      ["type", '"percentage"'],
      [name, value],
    ],
  ),
  fc.tuple(percent, json).map(
    ([value, ignored]): Fields => [
      ...([
        ["type", '"percentage"'],
        ["percent", value],
      ] as const),
      ["amount", ignored],
    ],
  ),
  safeNumber.map(
    (amount): Fields => [
      ["type", '"flat"'],
      ["amount", amount],
    ],
  ),
  fc.constant<Fields>([
    ["type", '"flat"'],
    ["amount", "-0"],
    ["percent", '"junk"'],
  ]),
)

const limits: fc.Arbitrary<Fields> = fc.constantFrom<Fields>(
  [
    ["min_amount", "null"],
    ["max_amount", "null"],
  ],
  [
    ["min_amount", "5"],
    ["max_amount", "5"],
  ],
  [
    ["min_amount", "0"],
    ["max_amount", "9007199254740991"],
  ],
)

const dates: fc.Arbitrary<Fields> = fc.constantFrom<Fields>(
  [
    ["starts_at", "null"],
    ["ends_at", "null"],
  ],
  [
    ["starts_at", "1700000000"],
    ["ends_at", '"2024-03-01T12:00:00Z"'],
  ],
  [
    ["starts_at", "null"],
    ["ends_at", "253402300799"],
  ],
)

const shipping: fc.Arbitrary<Fields> = fc.constantFrom<Fields>(
  [],
  [
    ["shipping_percent", '"5.00"'],
    ["shipping_amount", "null"],
  ],
  [
    ["shipping_percent", "7.25"],
    ["shipping_amount", "100"],
  ],
)

const deduct: fc.Arbitrary<Fields> = fc.constantFrom<Fields>(
  [],
  [["deduct_for_other_splits", "true"]],
  [["deduct_for_other_splits", "false"]],
)

const ignoredNames = ["__proto__", "constructor", "prototype", "toJSON", "id", "collaborator_id"]

const ignored: fc.Arbitrary<Fields> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Fields>([]) },
  {
    weight: 1,
    arbitrary: fc.array(
      fc.tuple(
        fc.constantFrom(...ignoredNames, "created_at", "collaborator", "products", ""),
        json,
      ),
      { maxLength: 3 },
    ),
  },
)

/** A group that can be made, and put in the place of any other. */
export const newGroup: fc.Arbitrary<Fields> = fc
  .tuple(link, linkModifier, condition, pay, limits, dates, shipping, deduct, ignored)
  .map((parts) => parts.flat())

/** Changes that fit every group. */
export const groupChanges: fc.Arbitrary<Fields> = fc.oneof(
  { weight: 6, arbitrary: newGroup },
  { weight: 1, arbitrary: pay },
  { weight: 1, arbitrary: shipping },
  { weight: 1, arbitrary: fc.tuple(limits, dates).map((parts) => parts.flat()) },
  { weight: 1, arbitrary: fc.constant<Fields>([["splitConditionType", "null"]]) },
)

const noTexts = ["5", "true", "1e400", ...structures]
const noPercents = [
  ...['"12.345"', "12.345", "-1", "100.01", '"1e1"', "1e400", "1e21", '"abc"', '""', '" "', "true"],
  ...['"NaN"', '"Infinity"', '"0x10"', '"١٢"', '"--5"', '"5%"', ...structures],
]
const noAmounts = ['"5"', '""', "true", ...unsafeNumbers, ...structures]
const noTimes = [
  '"yesterday"',
  "1e21",
  "1e400",
  "1.5",
  "253402300800",
  '"2024-13-01T00:00:00Z"',
  "true",
  "[]",
]
const noModifiers = ['"MAYBE"', "5", "true", '["WITH","NOT"]', "{}", "[5]", '""']
const noLists = ['"text"', "5", "true", "{}", '{"length":1,"0":"a"}', "1e400"]
const noTags = ["[5]", "[null]", "[[]]", "[{}]", "[true]", '[""]', '["a"," "]', "[]", '["a",5]']
const noIds = [
  "[1.5]",
  "[-1]",
  "[null]",
  "[[]]",
  '[""]',
  "[]",
  "[9007199254740992]",
  "[1e400]",
  "[true]",
]
const noCountries = ['["USA"]', "[5]", '["U1"]', '["ÄÖ"]', "[]", '[""]', '["us","x"]', "[null]"]
const noFlags = ['"true"', "1", "0", '"yes"', ...structures]

type Wrong = readonly [values: ReadonlyArray<string>, change: (value: string) => Fields]

const named =
  (name: string, ...before: Fields) =>
  (value: string): Fields => [...before, [name, value]]

const flat = [["type", '"flat"']] as const
const percentage = [["type", '"percentage"']] as const

const wrongValues: ReadonlyArray<Wrong> = [
  [[...noTexts, '""', '"products.x"', '"all"'], named("itemType")],
  [[...noLists, ...noTags], named("items", ["itemType", '"products.tag"'])],
  [[...noLists, ...noTags], named("items", ["itemType", '"products.vendor"'])],
  [[...noLists, ...noIds], named("items", ["itemType", '"products"'])],
  [noModifiers, named("type_modifier")],
  [[...noTexts, '""', '"order"', '"Referer"'], named("splitConditionType")],
  [[...noLists, ...noTags], named("splitConditions", ["splitConditionType", '"referer"'])],
  [
    [...noLists, ...noCountries],
    named("splitConditions", ["splitConditionType", '"country.code"']),
  ],
  [
    noModifiers,
    named("condition_modifier", ["splitConditionType", '"referer"'], ["splitConditions", '["a"]']),
  ],
  [[...noTexts, '""', '"both"'], named("type")],
  [noPercents, (value) => [...percentage, ["percentage", "null"], ["percent", value]]],
  [noPercents, (value) => [...percentage, ["percentage", value], ["percent", "null"]]],
  [["1"], (value) => [...percentage, ["percentage", value], ["percent", "2"]]],
  [noAmounts, (value) => [...flat, ["amount", value]]],
  [noPercents, named("shipping_percent")],
  [noAmounts, named("shipping_amount")],
  [noAmounts, named("min_amount")],
  [noAmounts, named("max_amount")],
  [
    ["6"],
    (value) => [
      ["min_amount", value],
      ["max_amount", "5"],
    ],
  ],
  [noTimes, named("starts_at")],
  [noTimes, named("ends_at")],
  [
    ["5"],
    (value) => [
      ["starts_at", value],
      ["ends_at", "5"],
    ],
  ],
  [noFlags, named("deduct_for_other_splits")],
  [['["a"]'], named("type_values", ["itemType", '"products.all"'])],
  [['"referer"'], named("condition", ["itemType", '"products.all"'])],
]

/** Absent is only wrong in a group that is to be made: a change leaves it as it is. */
const wrongToMake: ReadonlyArray<Wrong> = [
  [["null"], named("itemType")],
  [["null"], named("items", ["itemType", '"products.tag"'])],
  [
    ["null"],
    (value) => [
      ["type", value],
      ["percent", "5"],
      ["amount", "5"],
    ],
  ],
  [["null"], (value) => [...percentage, ["percentage", value], ["percent", value]]],
  [["null"], (value) => [...flat, ["amount", value]]],
]

const without = (fields: Fields, names: ReadonlyArray<string>): Fields =>
  fields.filter(([name]) => !names.includes(name))

/** A group of which one thing is wrong. */
export const wrongGroup = (purpose: "create" | "update"): fc.Arbitrary<Fields> => {
  const wrongs = purpose === "create" ? [...wrongValues, ...wrongToMake] : wrongValues
  const change = fc.oneof(...wrongs.map(([given, make]) => fc.constantFrom(...given).map(make)))
  return fc.tuple(newGroup, change).map(([group, wrong]) => {
    const names = wrong.map(([name]) => name)
    const other = names.includes("percent")
      ? ["percentage"]
      : names.includes("percentage")
        ? ["percent"]
        : []
    return [...without(group, [...names, ...other]), ...wrong]
  })
}
