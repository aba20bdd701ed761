/**
 * The endpoints of agreements; those of one agreement are asked about advances. They are about no group that there is, so
 * that payouts stay what sales and entries make of them.
 */
import fc from "fast-check"
import { fieldsOf, kindOf } from "./Bodies.js"
import type { Endpoint } from "./Endpoint.js"
import { objectOf, structures } from "./Odd.js"
import { parameter, wrongPages } from "./Queries.js"

const agreements = ["agreements"]
const advance = [...agreements, "advance", ":agreement"]

const read = { method: "GET", success: 200, body: "none", keyed: false } as const

/** Few, so that they come again: as they were, or otherwise. */
const ids = ['"a1"', '"a2"', '"é 3"', "4"]
const people = ['"ada"', '"ada"', '"sam"', '"nobody"']
const percents = ['"15.00"', "20", '"0"', "100"]
const groups = ['["none"]', '["none","nothing"]']
const times = ["1600000000", '"2024-03-01T12:00:00Z"']

const common = { id: ids, collaborator_id: people, groups, percent: percents }
const currencies = ['"EUR"', '"USD"', '"JPY"']
const amounts = ["0", "1", "5000", "9007199254740991"]

const steps = ['[{"days":30,"percent":100}]', '[{"days":1,"percent":"50"},{"days":2,"percent":50}]']

const advances = fieldsOf(
  { ...common, currency: currencies, amount: amounts, granted_at: times, also_from: ['["sam"]'] },
  ["id", "collaborator_id", "groups", "currency", "amount", "granted_at"],
)
const reserves = fieldsOf({ ...common, schedule: steps }, [
  ...["id", "collaborator_id", "groups", "percent", "schedule"],
])
const guarantees = fieldsOf(
  {
    ...{ id: ids, collaborator_id: people, groups, currency: currencies, amount: amounts },
    ...{ from: ["0", "1700000000"], until: ["1700000001", '"2030-01-01T00:00:00Z"'] },
  },
  ["id", "collaborator_id", "groups", "currency", "amount", "from", "until"],
)
const overrides = fieldsOf(
  {
    ...{ ...common, of: ['"share"', '"sale"'], from: ['"ada"', '"sam"'] },
    paid_by: ['"share"', '"store"'],
  },
  ["id", "collaborator_id", "groups", "of", "from", "paid_by", "percent"],
)

const agreement = fc
  .oneof(
    fc.tuple(fc.constant("advance"), advances),
    fc.tuple(fc.constant("reserve"), reserves),
    fc.tuple(fc.constant("guarantee"), guarantees),
    fc.tuple(fc.constant("override"), overrides),
  )
  .map(
    ([kind, fields]): ReadonlyArray<readonly [string, string]> => [
      ["kind", `"${kind}"`],
      ["agreement", objectOf(fields)],
    ],
  )

const given = kindOf(agreement, {
  kind: ['"loan"', '""', "5", "null", '["advance"]', ...structures],
  agreement: ["5", '""', "null", "[]", "{}", '{"id":""}', '{"id":"a1","collaborator_id":"ada"}'],
})

const pages = [
  parameter("page", ["1", "2", "1000"], wrongPages),
  parameter("per_page", ["1", "100", "1000"], wrongPages),
]

const filters = [
  parameter("collaborator", ["ada", "sam", "nobody", "__proto__"], []),
  parameter("kind", ["advance", "reserve", "guarantee", "override"], ["", "loan", "Advance"]),
  parameter("ended", ["true", "0"], ["", "yes"]),
  ...pages,
]

export const agreementEndpoints = {
  listAgreements: { ...read, path: agreements, reads: filters, documented: { reaches: [422] } },
  putAgreement: {
    ...{ method: "PUT", path: agreements, success: 200, reads: "nothing", keyed: false },
    ...{ body: given, documented: { weight: 2, makes: "agreement", reaches: [400, 404, 422] } },
  },
  previewAgreement: {
    ...{ method: "POST", path: [...agreements, "preview"], success: 200, reads: "nothing" },
    ...{ keyed: false, body: given, documented: { reaches: [400, 404, 422] } },
  },
  viewAgreement: { ...read, path: advance, reads: "nothing", documented: { reaches: [404] } },
  listAgreementBookings: {
    ...{ ...read, path: [...advance, "bookings"], reads: pages },
    documented: { reaches: [404, 422] },
  },
  endAgreement: {
    ...{ method: "POST", path: [...advance, "end"], success: 200, reads: "nothing" },
    ...{ body: "none", keyed: true, documented: { reaches: [404] } },
  },
} as const satisfies Record<string, Endpoint>
