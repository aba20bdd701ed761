/** Keeps what stands in the data from steering the terminal that shows it. */

/** Control characters but line breaks and tabs, and those that turn the direction of writing around. */
const steering = /(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu

/** A text as it may be shown: what would move the cursor or hide something is a mark that shows it. */
export const printable = (text: string): string => text.replace(steering, "\ufffd")

/** A text that takes one line, whatever stands in it. */
export const oneLine = (text: string): string => text.replace(/\p{Cc}/gu, " ")
