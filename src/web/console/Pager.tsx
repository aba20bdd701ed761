/** Goes from page to page of a list. */
import { Button } from "../parts/Button.js"

/** Goes from page to page of a list. */
export const Pager = (given: { page: number; last: number; onPage: (page: number) => void }) => (
  <nav class="pager" aria-label="Pages">
    <Button disabled={given.page <= 1} onPress={() => given.onPage(given.page - 1)}>
      Previous
    </Button>
    <span role="status">
      Page {given.page} of {given.last}
    </span>
    <Button disabled={given.page >= given.last} onPress={() => given.onPage(given.page + 1)}>
      Next
    </Button>
  </nav>
)
