/** What forms of the console are filled in with, and what they ask for. */
import { afterAll, beforeAll, expect, test } from "vitest"
import { agreementDraftOf, agreementRequestOf } from "../../../src/web/console/AgreementDraft.js"
import type { AgreementRow } from "../../../src/web/console/Answers.js"
import { draftOf, requestOf } from "../../../src/web/console/GroupDraft.js"
import { zone } from "../../../src/web/console/Time.js"

/** 1 March 2026, 13:37:21 in Berlin. */
const afternoon = 1_772_368_641
const day = 86_400

const own = zone.value
beforeAll(() => {
  zone.value = "Europe/Berlin"
})
afterAll(() => {
  zone.value = own
})

const stored = (row: object) => row as AgreementRow

const common = { collaborator_id: "ada", groups: null }
const money = { currency: "EUR", amount: 5_000 }

const advance = stored({
  kind: "advance",
  agreement: {
    ...{ ...common, ...money, id: "a1", percent: "100.00", purpose: "advance" },
    ...{ granted_at: afternoon, also_from: [] },
  },
})

const guarantee = stored({
  kind: "guarantee",
  agreement: { ...common, ...money, id: "m1", from: afternoon, until: afternoon + day },
})

test("an agreement that is looked at and saved keeps its times to the second", () => {
  for (const row of [advance, guarantee]) {
    expect(agreementRequestOf(agreementDraftOf(row)).agreement).toEqual(row.agreement)
  }
})

test("an agreement begins and ends with the days that were chosen in place of its own", () => {
  const draft = { ...agreementDraftOf(guarantee), until: "2026-03-01" }
  const midnight = Date.parse("2026-03-01T23:00:00Z") / 1_000
  expect(agreementRequestOf(draft).agreement).toMatchObject({ from: afternoon, until: midnight })
})

test("a product group that is looked at and saved keeps its times to the second, also in the hour that comes twice", () => {
  // 25 October 2026, 02:30:15 for the second time.
  const again = Date.parse("2026-10-25T01:30:15Z") / 1_000
  const pay = { itemType: "products.all", type: "percentage", percentage: "10.00" } as const
  const group = { ...pay, starts_at: afternoon, ends_at: again }
  expect(requestOf(draftOf(group))).toMatchObject({ starts_at: afternoon, ends_at: again })
  const chosen = { ...draftOf(group), startsAt: "2026-03-01T13:38" }
  expect(requestOf(chosen).starts_at).toBe(afternoon - 21 + 60)
})

test("what is no number is sent as one that is refused, and clears nothing", () => {
  const group = { itemType: "products.all", type: "flat", amount: 500 } as const
  for (const least of ["ten", "Infinity", "1e999"]) {
    expect(requestOf({ ...draftOf(group), least }).min_amount).toBe(-1)
  }
})
