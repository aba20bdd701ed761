import { Page } from "apportion"
import { PageMeta } from "apportion/schema"
import * as Schema from "effect/Schema"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { runs } from "../generators/Runs.js"

const path = "https://shop.example/api/v1/payouts"
const meta = (total: number, page: number, perPage: number) =>
  Page.meta(total, { page, perPage }, { path })
const numbers = (length: number) => [...Array(length).keys()]

describe("Pages, meta", () => {
  it("tells where a page stands", () => {
    expect(meta(31, 2, 15)).toEqual({
      currentPage: 2,
      from: 16,
      lastPage: 3,
      path,
      perPage: 15,
      to: 30,
      total: 31,
    })
    expect(meta(31, 3, 15)).toMatchObject({ from: 31, to: 31 })
    expect(meta(30, 2, 15)).toMatchObject({ from: 16, to: 30, lastPage: 2 })
    expect(Schema.is(PageMeta)(meta(31, 2, 15))).toBe(true)
  })

  it("is checked field by field", () => {
    const good = meta(31, 2, 15)
    for (const field of ["currentPage", "from", "lastPage", "perPage", "to", "total"]) {
      expect(Schema.is(PageMeta)({ ...good, [field]: 0.5 }), field).toBe(false)
    }
    expect(Schema.is(PageMeta)({ ...good, path: 5 })).toBe(false)
    expect(Schema.is(PageMeta)({ ...good, from: null, to: null })).toBe(true)
  })

  it("last_page is at least 1", () => {
    expect(meta(0, 1, 15)).toMatchObject({ lastPage: 1, from: null, to: null, total: 0 })
  })

  it("beyond the last page data is empty, from and to null, and current_page stays as asked", () => {
    const page = Page.of(numbers(31), { page: 4, perPage: 15 }, { path })
    expect(page.data).toEqual([])
    expect(page.meta).toMatchObject({ currentPage: 4, from: null, to: null, lastPage: 3 })
  })

  it("path is the list's URL without its query", () => {
    for (const query of ["?page=2", "?", "#top", "?a=1#b", "?a=b?c\nd"]) {
      expect(Page.meta(1, { page: 1, perPage: 1 }, { path: `${path}${query}` }).path).toBe(path)
    }
  })

  it("is exact for huge lists and huge page numbers", () => {
    const most = Number.MAX_SAFE_INTEGER
    expect(meta(10, most, 100)).toMatchObject({ currentPage: most, from: null, to: null })
    expect(meta(most, most, 1)).toMatchObject({ from: most, to: most, lastPage: most })
    const last = Number((BigInt(most) + 99n) / 100n)
    expect(meta(most, last, 100)).toMatchObject({
      lastPage: last,
      from: Number(BigInt(last - 1) * 100n + 1n),
      to: most,
    })
    expect(Page.of(numbers(10), { page: most, perPage: 100 }, { path }).data).toEqual([])
  })
})

describe("Pages of a list", () => {
  it("partition it: no item is skipped or repeated", () => {
    const property = fc.property(
      fc.array(fc.anything(), { maxLength: 60 }),
      fc.integer({ min: 1, max: 20 }),
      (list, perPage) => {
        const { lastPage } = meta(list.length, 1, perPage)
        const pages = numbers(lastPage).map((index) =>
          Page.of(list, { page: index + 1, perPage }, { path }),
        )
        expect(pages.flatMap(({ data }) => data)).toEqual(list)
        for (const page of pages) {
          const { from, to } = page.meta
          const length = from === null || to === null ? 0 : to - from + 1
          expect(page.data.length).toBe(length)
          expect(page.meta.total).toBe(list.length)
        }
        expect(pages.slice(0, -1).every(({ data }) => data.length === perPage)).toBe(true)
      },
    )
    fc.assert(property, runs(300))
  })
})
