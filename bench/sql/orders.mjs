// The orders that benches of recording record, and the groups that share them.

/** The account where all is recorded that is recorded in one. */
export const accountId = "shop 0"

export const collaboratorsOfAccount = 64

/** The groups of an account: two collaborators share each tag. */
export const groups = Array.from({ length: collaboratorsOfAccount }, (_, index) => ({
  id: `g${index}`,
  collaboratorId: `c${index}`,
  link: { type: "products.tag", values: [`t${index >> 1}`] },
  percent: "12.50",
}))

/** An order of two items; each is shared by two collaborators. */
export const orderOf = (number) => ({
  id: `o${number}`,
  currency: "USD",
  createdAt: 1_760_000_000,
  items: [0, 1].map((index) => ({
    id: String(index + 1),
    product: {
      id: `p${index}`,
      name: `Print ${index}`,
      tags: [`t${(number * 2 + index) % (collaboratorsOfAccount / 2)}`],
    },
    quantity: 1,
    amount: 10_000 + index,
  })),
})
