/**
 * The API as a module with a `fetch` handler, for platforms that start a function for each request and have
 * nothing of Node. They want it as the module's default export; where yours does, add this line:
 *
 *   export default worker
 */
import { makeApi } from "./api.mjs"

/** @type {ReturnType<typeof makeApi> | undefined} */
let making

/** Made with the first request: outside of one, such platforms allow neither random numbers nor timers. */
const api = () => {
  making ??= makeApi()
  return making
}

export const worker = {
  /** @param {Request} request */
  fetch: async (request) => {
    const { handler } = await api()
    return handler(request)
  },
}
