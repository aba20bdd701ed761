/** Goes from page to page of a list. */
import type * as Schemas from "../../wire/Schemas.js"
import { Button } from "../parts/Button.js"
import { route, select } from "./Route.js"

/** The page of a list that the address has under a name. */
export const pageIn = (name = "page"): number => Number(route.value.query.get(name) ?? 1) || 1

/** Nothing where there is one page. */
export const Pager = (given: { of: typeof Schemas.MetaView.Type; name?: string }) => {
  const { of, name = "page" } = given
  const { current_page: page, last_page: last } = of
  if (last <= 1) return null
  return (
    <nav class="pager" aria-label="Pages">
      <Button disabled={page <= 1} onPress={() => select({ [name]: page - 1 })}>
        Previous
      </Button>
      <span role="status">
        Page {page} of {last}
      </span>
      <Button disabled={page >= last} onPress={() => select({ [name]: page + 1 })}>
        Next
      </Button>
    </nav>
  )
}
