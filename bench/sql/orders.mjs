// The orders that benches of recording record.

/** An order of two items; each is shared by two of so many collaborators. */
export const orderOf = (number, collaborators) => ({
  id: `o${number}`,
  currency: "USD",
  createdAt: 1_760_000_000,
  items: [0, 1].map((index) => ({
    id: String(index + 1),
    product: {
      id: `p${index}`,
      name: `Print ${index}`,
      tags: [`t${(number * 2 + index) % (collaborators / 2)}`],
    },
    quantity: 1,
    amount: 10_000 + index,
  })),
})
