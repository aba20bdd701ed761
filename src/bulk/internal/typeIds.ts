/** How Arrow's libraries number the types of columns. */
export const typeIds = {
  /** Numbers that stand for the entries of a dictionary. */
  coded: -1,
  int: 2,
  float: 3,
  text: 5,
  flag: 6,
  list: 12,
  largeText: 20,
  largeList: 21,
} as const
