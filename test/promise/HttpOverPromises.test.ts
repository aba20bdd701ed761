import { toWebHandler } from "apportion/http"
import { makeApportion } from "apportion/promise"
import { expect, test } from "vitest"

const withToken = { authorization: "Bearer secret" }

test("a host without Effect mounts the HTTP API over the same services", async () => {
  const apportion = await makeApportion({ tokens: [{ token: "secret", accountId: "shop" }] })
  await apportion.collaborators.create("shop", { id: "ada", currency: "USD" })
  const { handler, dispose } = toWebHandler(apportion.context)
  const url = "http://localhost/api/v1/collaborators/ada/products"

  const body = JSON.stringify({ itemType: "products.all", type: "percentage", percent: 10 })
  const made = await handler(new Request(url, { method: "PUT", headers: withToken, body }))
  expect(made.status).toBe(201)
  const listed = await apportion.groups.list("shop", "ada")
  expect(listed.entries.map(({ group }) => group.percent)).toEqual(["10.00"])

  const refused = await handler(new Request(url, { headers: { authorization: "Bearer other" } }))
  expect(refused.status).toBe(401)
  await dispose()
  await apportion.close()
})

test("what is logged while a request is answered goes to the host's log", async () => {
  const lines: Array<string> = []
  const apportion = await makeApportion({ log: ({ message }) => lines.push(message) })
  const { handler, dispose } = toWebHandler(apportion.context)
  await handler(new Request("http://localhost/ready"))
  expect(lines).toContain("request")
  await dispose()
  await apportion.close()
})
