import fc from "fast-check"
import { afterAll, describe, expect, it } from "vitest"
import { isWhole, runs } from "../generators/Runs.js"
import { type EndpointName, endpointNames, endpointOf } from "./fuzz/Endpoints.js"
import {
  begin,
  type Counts,
  type Fault,
  lookAround,
  type Play,
  playStep,
  sizeOf,
} from "./fuzz/Play.js"
import { type Step, step } from "./fuzz/Steps.js"

const usual = 5_200
const { numRuns } = isWhole ? runs(usual) : { numRuns: 160 }

/** After so many steps a world is looked through and a new one begins. */
const stepsInWorld = 1_300

const counts: Counts = new Map()
let play: Play | undefined
let steps = 0
let requests = 0

const end = async (): Promise<void> => {
  await play?.world.close()
  play = undefined
  steps = 0
}

afterAll(end)

const told = ({ what, request, answer }: Fault): string => [what, request, answer].join("\n\n")

const playNext = async (next: Step): Promise<ReadonlyArray<string>> => {
  play ??= await begin(counts)
  const { faults } = play
  await playStep(play, next)
  requests += sizeOf(next)
  if (++steps % stepsInWorld === 0) await lookAround(play)
  // After a fault nobody knows what the accounts hold.
  if (faults.length > 0 || steps === stepsInWorld) await end()
  return faults.map(told)
}

/** What each endpoint must have answered at some time in a usual run. */
const reached: Readonly<Partial<Record<EndpointName, ReadonlyArray<number>>>> = {
  listGroups: [200, 401, 404, 422],
  createGroup: [201, 400, 401, 404, 409, 413, 422],
  viewGroup: [200, 401, 404, 422],
  updateGroup: [200, 400, 401, 404, 413, 422],
  deleteGroup: [204, 401, 404],
  listPayouts: [200, 401, 422],
  viewPayout: [200, 401, 404],
  addExpense: [200, 400, 401, 404, 409, 413, 422],
  addIncome: [200, 400, 401, 404, 409, 413, 422],
  setPaid: [200, 401, 404, 422],
  listProducts: [200, 401, 422],
  payPayout: [200, 400, 401, 404, 409, 413, 422],
  failPayout: [200, 400, 401, 404, 409, 422],
  retryPayout: [200, 401, 404, 409],
  claimPayout: [201, 400, 401, 404, 409, 413, 422],
  listPaymentsOfPayout: [200, 401, 404],
  listPayments: [200, 401, 422],
  // That each endpoint wants a token is looked at where the document is.
  listStuckPayments: [200, 422],
  viewPayment: [200, 401, 404],
  sendPayment: [200, 401, 404, 409],
  resolvePayment: [200, 401, 404],
  confirmPayment: [200, 400, 401, 404, 409, 422],
  rejectPayment: [200, 400, 401, 404, 409, 422],
  returnPayment: [200, 400, 404, 409, 422],
  releasePayment: [200, 400, 404, 409, 422],
  settlePayment: [200, 401, 404],
  answerPayments: [200, 400, 401, 409, 422],
}

describe("random requests, fine ones and broken ones", () => {
  it(
    "are answered as the specification says, with nothing of other accounts, and every change once",
    async () => {
      const property = fc.asyncProperty(step, async (next) => {
        expect(await playNext(next)).toEqual([])
      })
      await fc.assert(property, { numRuns, ...(numRuns <= usual ? { seed: 1 } : {}) })
      if (play !== undefined) await lookAround(play)
      expect((play?.faults ?? []).map(told)).toEqual([])
    },
    60_000 + numRuns * 20,
  )

  it("reach every status of every endpoint", () => {
    const missing = endpointNames.flatMap((name) => {
      const { success, documented } = endpointOf(name)
      const statuses = reached[name] ?? [success, ...(documented?.reaches ?? [])]
      return statuses.map((status) => `${name} ${status}`).filter((one) => !counts.has(one))
    })
    expect(numRuns < usual ? [] : missing).toEqual([])
    expect(requests).toBeGreaterThan(numRuns)
    // Books are only compared where nobody has more than a number holds.
    const others = [
      "sales held against balances",
      "nothing 404",
      "wrong method 405",
      "/ready 200",
      "/docs 200",
    ]
    expect(numRuns < usual ? [] : others.filter((name) => !counts.has(name))).toEqual([])
  })
})
