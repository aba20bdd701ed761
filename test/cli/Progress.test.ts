import { describe, expect, it, vi } from "vitest"
import { Progress } from "../../src/cli/Session.js"

const watch = (isTerminal: boolean) => {
  const texts: Array<string> = []
  const write = async (text: string | Uint8Array) => {
    texts.push(String(text))
  }
  const now = vi.spyOn(performance, "now").mockReturnValue(0)
  const progress = new Progress({ isTerminal, columns: 80, write })
  for (const [milliseconds, orders] of [
    [100, 1_000],
    [250, 50_000],
    [300, 60_000],
    [1_000, 123_456],
  ] as const) {
    now.mockReturnValue(milliseconds)
    progress.update(orders)
  }
  progress.clear()
  now.mockRestore()
  return texts
}

describe("the progress line", () => {
  it("is renewed a few times a second on a terminal, and goes away", () => {
    expect(watch(true)).toEqual([
      "\r\u001b[2K50,000 orders, 200,000 a second",
      "\r\u001b[2K123,456 orders, 123,456 a second",
      "\r\u001b[2K",
    ])
  })

  it("is not there when nobody looks", () => {
    expect(watch(false)).toEqual([])
  })
})
