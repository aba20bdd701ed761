import { expect, test } from "vitest"
import { ByNames } from "../../src/internal/ByNames.js"

/** Lists joined, with how often that was done. */
const joined = () => {
  const asked: Array<string> = []
  const texts = new ByNames((names) => {
    asked.push(names.join())
    return names.join()
  })
  return { asked, texts }
}

test("what follows from names is worked out once for each list of them in their order", () => {
  const { asked, texts } = joined()
  const lists = [[], ["a"], ["a", "b"], ["b", "a"], ["b"], ["", "a"], ["a,b"]]
  for (const names of [...lists, ...lists]) expect(texts.of(names)).toBe(names.join())
  expect(asked).toEqual(lists.map((names) => names.join()))
})

test("a list that is changed later is another one", () => {
  const { texts } = joined()
  const names = ["a", "b"]
  expect(texts.of(names)).toBe("a,b")
  names[0] = "c"
  expect(texts.of(names)).toBe("c,b")
  expect(texts.of(["a", "b"])).toBe("a,b")
})

test("after too many lists it begins anew, and is right all the same", () => {
  const { asked, texts } = joined()
  const usual = ["id", "amount"]
  for (let index = 0; index < 1_000; index += 1) {
    expect(texts.of([`own ${index}`, "id"])).toBe(`own ${index},id`)
    expect(texts.of(usual)).toBe("id,amount")
  }
  const ofUsual = asked.filter((names) => names === "id,amount")
  expect(ofUsual.length).toBeGreaterThan(1)
  expect(ofUsual.length).toBeLessThan(20)
})
