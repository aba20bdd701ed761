/** How many items of a payout are shown. */

/** When no page of them is asked for: an answer of about two megabytes. */
export const mostUnasked = 10_000

/** When a page is asked for without saying how many. */
export const usualItems = 100

/** In a page. */
export const mostItems = 1_000
