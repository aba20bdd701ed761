/** The endpoints of passes. What is read with one has its tests elsewhere. */
import { start } from "../Shop.js"
import { fieldsOf, kindOf } from "./Bodies.js"
import type { Endpoint } from "./Endpoint.js"
import { structures } from "./Odd.js"

const passes = ["collaborators", ":collaborator", "passes"]
const pass = [...passes, ":pass"]

const read = { method: "GET", success: 200, reads: "nothing", body: "none", keyed: false } as const

const times = [String(start + 864_000), "null"]
const wrongTimes = ["0", "-5", "1.5", '"tomorrow"', "1e21", "true", String(start), ...structures]
const languages = ['"en"', '"de"', '"ar"', "null"]

export const passEndpoints = {
  listPasses: { ...read, path: passes, documented: { reaches: [404] } },
  createPass: {
    ...{ method: "POST", path: passes, success: 201, reads: "nothing", keyed: true },
    body: kindOf(fieldsOf({ expires_at: times, language: languages }), {
      ...{ expires_at: wrongTimes, language: ['"EN"', '"tlh"', '""', "5", ...structures] },
    }),
    // The answer to a key has no token.
    documented: { weight: 2, makes: "pass", isLive: true, reaches: [400, 404, 422] },
  },
  viewPass: { ...read, path: pass, documented: { reaches: [404] } },
  revokePass: {
    ...{ ...read, method: "DELETE", path: pass, success: 204 },
    documented: { isKept: true, reaches: [404] },
  },
} as const satisfies Record<string, Endpoint>
