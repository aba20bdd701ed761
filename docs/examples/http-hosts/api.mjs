/**
 * The HTTP API that the hosts beside this file mount: over a storage in memory, with a shop of one
 * collaborator and two products in it. It uses nothing that only Node has.
 */
import { toWebHandler } from "apportion/http"
import { makeApportion } from "apportion/promise"

const shop = "paper-heron"

/** Whoever sends this token is let in, to the shop's account. */
export const token = "paper-heron-at-dusk"

/**
 * Makes the API: `handler` answers a request, `drain` lets `/ready` say no, and `close` waits for the
 * requests under way and ends everything.
 *
 * @param {import("apportion/http").HttpOptions} [options]
 */
export const makeApi = async (options) => {
  const apportion = await makeApportion({ tokens: [{ token, accountId: shop }] })
  await apportion.collaborators.create(shop, { id: "ada", currency: "EUR" })
  await apportion.products.put(shop, [
    { id: "heron", name: "Heron, linocut", tags: ["art"] },
    { id: "mug", name: "Mug", tags: ["kitchen"] },
  ])
  const { handler, drain, dispose } = toWebHandler(apportion.context, options)
  const close = () => dispose().then(apportion.close)
  return { handler, drain, close }
}
