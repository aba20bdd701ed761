import { maximumPerPage, type PageRequest } from "../../pagination/PageRequest.js"
import type { Slice } from "../../ports/Slice.js"

/** The slice of a list that a page is; a page that nobody can mean is brought to the nearest one. */
export const sliceOf = ({ page, perPage }: PageRequest): Slice => {
  const limit = Math.min(Math.max(perPage, 1), maximumPerPage)
  return { offset: (Math.max(page, 1) - 1) * limit, limit }
}
