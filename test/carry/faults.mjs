/** Faults that the histories have to notice, each in one place of the library's carrying. */
export const faults = [
  {
    name: "remainders are forgotten",
    file: "carry/internal/runningRemainders.ts",
    from: "return this.changed.get(party) ?? this.known.get(party) ?? 0",
    to: "return 0 * (this.known.get(party) ?? 0)",
  },
  {
    name: "currencies are mixed",
    file: "carry/internal/runningRemainders.ts",
    from: "new CurrencyRemainders(this.ofCurrency(currency))",
    to: 'new CurrencyRemainders(this.ofCurrency(currency === "" ? "" : "USD"))',
  },
  {
    name: "an odd cent goes to the largest remainder, whatever the percentage",
    file: "carry/internal/carriedParts.ts",
    from: "one.delay * other.basisPoints",
    to: "one.delay * one.basisPoints",
  },
  {
    name: "a cent is given long before it is due",
    file: "carry/internal/carriedParts.ts",
    from: "rest * scale >= Percent.whole",
    to: "rest * scale >= 0",
  },
  {
    name: "of equal ones the last is served first",
    file: "carry/internal/carriedParts.ts",
    from: "one.place - other.place",
    to: "other.place - one.place",
  },
  {
    name: "more is paid than an item brought in",
    file: "carry/internal/carriedParts.ts",
    from: "return withinRoom(dues, from.room)",
    to: "return parts",
  },
  {
    name: "the store does not count as a party",
    file: "carry/internal/carriedParts.ts",
    from: "dues.length + (storeBasisPoints > 0 ? 1 : 0)",
    to: "dues.length",
  },
  {
    name: "the store's remainder is not carried",
    file: "carry/internal/carriedItem.ts",
    from: "work.storeRemainder - sign * carried",
    to: "work.storeRemainder - 0 * carried",
  },
  {
    name: "a return takes remainders as a sale does",
    file: "carry/internal/carriedItem.ts",
    from: "remainder: sign * part.open.remainder",
    to: "remainder: part.open.remainder",
  },
  {
    name: "claims that are cut carry as well",
    file: "carry/internal/carriedItem.ts",
    from: 'item.overAllocated && policy.overAllocation !== "allow"',
    to: 'item.overAllocated && policy.overAllocation === "reject"',
  },
  {
    name: "a refund leaves the remainders",
    file: "carry/CarriedSplit.ts",
    from: "change(share.groupId, -taken)",
    to: "change(share.groupId, 0n * taken)",
  },
  {
    name: "a refund forgets those before it",
    file: "carry/CarriedSplit.ts",
    from: "progressOf(item, earlier), parts",
    to: "progressOf(item, earlier.slice(1)), parts",
  },
]
