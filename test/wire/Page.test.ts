import { Page as CorePage } from "apportion"
import { Page } from "apportion/wire"
import { describe, expect, it } from "vitest"

describe("a page", () => {
  it("has its entries in data and exactly the paging fields in meta", () => {
    const page = CorePage.of(["a", "b", "c"], { page: 2, perPage: 2 }, { path: "/list?page=2" })
    expect(Page.write(page, (entry) => entry.toUpperCase())).toEqual({
      data: ["C"],
      meta: {
        current_page: 2,
        from: 3,
        last_page: 2,
        path: "/list",
        per_page: 2,
        to: 3,
        total: 3,
      },
    })
  })

  it("has null for from and to when it is empty", () => {
    const page = CorePage.of([], { page: 4, perPage: 15 }, { path: "/list" })
    const { meta } = Page.write(page, String)
    expect([meta.from, meta.to, meta.current_page, meta.last_page]).toEqual([null, null, 4, 1])
  })
})
