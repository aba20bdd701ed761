/** Of the endpoints of passes, and of what is read with their tokens. */
import { start } from "../Shop.js"
import { type Ids, idsOf, type Sample, type Samples, type Stocked } from "./Sample.js"

const withPass = async (shop: Stocked): Promise<Ids> => {
  const { json } = await shop.ask("POST", "/v1/collaborators/ada/passes", { body: {} })
  return { ...idsOf(shop), pass_id: String(json.data.id) }
}

/** Who has no valid token is counted by their address, which has one request in a minute. */
const again = { 429: { times: 2 } } as const

const visit: Sample = { refusals: again }

export const passSamples: Samples = {
  createPass: {
    body: {},
    bodies: [
      ...["en", "de", "ar"].map((language) => ({ expires_at: start + 864_000, language })),
      { expires_at: null, language: null },
    ],
  },
  viewPass: { ready: withPass },
  revokePass: { ready: withPass },
  viewOpenedPass: visit,
  viewSeenStatement: visit,
  listSeenLines: visit,
  listSeenPayouts: visit,
  viewSeenPayout: visit,
  explainSeenSale: {
    ready: async (shop) => ({ ...idsOf(shop), order_id: "o1" }),
    refusals: again,
  },
}

/** Of the form of a token, and nobody's. */
const nobodys = `c3RvcmU.none.${"A".repeat(43)}`

const tokens = new WeakMap<object, Promise<string>>()

const createdIn = async (shop: Stocked): Promise<string> => {
  const { json } = await shop.ask("POST", "/v1/collaborators/ada/passes", { body: {} })
  return String(json.data.token)
}

const isStocked = (shop: object): shop is Stocked => "payoutId" in shop

/** The token of a pass in a shop; where nothing is in stock, one that opens nothing. */
export const passTokenOf = (shop: object): Promise<string> => {
  const known = tokens.get(shop)
  if (known !== undefined) return known
  const made = isStocked(shop) ? createdIn(shop) : Promise.resolve(nobodys)
  tokens.set(shop, made)
  return made
}
