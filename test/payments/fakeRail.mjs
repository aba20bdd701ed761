// A payment rail with a book of its own, over HTTP, for processes that are killed while they pay.
import { createServer } from "node:http"

/** The rail as those see it who pay, with a method for each question. */
export const railAt = (url) => {
  const ask = async (path, body, signal) => {
    const response = await fetch(`${url}${path}`, {
      method: "POST",
      body: JSON.stringify(body),
      signal,
    })
    if (!response.ok) throw new Error(`the rail answered ${response.status}`)
    return response.json()
  }
  return {
    name: "fake",
    terms: { currencies: null, mode: "single", lateSeconds: 1, knownSeconds: null },
    send: (instruction, signal) => ask("/send", instruction, signal),
    find: (key, signal) => ask("/find", { key }, signal),
  }
}

/** Starts the rail: its book says what it paid, and `onStep` is told each step of it. */
export const startRail = async () => {
  const known = new Map()
  const book = []
  const rail = { book, onStep: (_step) => {} }
  const server = createServer(async (request, response) => {
    let text = ""
    for await (const chunk of request) text += chunk
    const body = JSON.parse(text)
    const answer = (value) => response.end(JSON.stringify(value))
    if (request.url === "/find") {
      rail.onStep("find")
      return answer(known.get(body.key) ?? { type: "absent" })
    }
    rail.onStep("before paying")
    if (!known.has(body.key)) {
      book.push(body)
      const at = Math.floor(Date.now() / 1_000)
      known.set(body.key, { type: "confirmed", at, reference: `r${book.length}`, fee: 0 })
    }
    rail.onStep("paid, not answered")
    answer(known.get(body.key))
    rail.onStep("answered")
  })
  await new Promise((done) => server.listen(0, "127.0.0.1", done))
  const stop = () => {
    server.close()
    server.closeAllConnections()
  }
  return { rail, stop, url: `http://127.0.0.1:${server.address().port}` }
}
