import type { Case } from "./Case.js"

const day = 86_400
const guarantee = {
  ...{ id: "m1", collaboratorId: "ada", currency: "USD", amount: 1_000 },
  ...{ from: 10 * day, until: 20 * day },
}

export const guarantees: ReadonlyArray<Case> = [
  {
    shows: "what was earned too little is paid at the end of the period",
    agreed: { guarantees: [guarantee] },
    happens: [{ sale: "ada/g1 300", day: 12 }, { close: 20 }],
    lines: ["ada shortfall 700"],
    totals: "ada 1000",
    balances: ["m1 earned 300"],
  },
  {
    shows: "nothing is paid where as much was earned",
    agreed: { guarantees: [guarantee] },
    happens: [{ sale: "ada/g1 1000", day: 12 }, { close: 20 }],
    lines: ["ada shortfall 0"],
    totals: "ada 1000",
  },
  {
    shows: "what was earned beyond it stays with who earned it",
    agreed: { guarantees: [guarantee] },
    happens: [{ sale: "ada/g1 1500", day: 12 }, { close: 20 }],
    lines: ["ada shortfall 0"],
    totals: "ada 1500",
  },
  {
    shows: "who earned nothing is paid all of it",
    agreed: { guarantees: [guarantee] },
    happens: [{ close: 20 }],
    lines: ["ada shortfall 1000"],
    totals: "ada 1000",
  },
  {
    shows: "the first second of the period counts, the first one after it does not",
    agreed: { guarantees: [guarantee] },
    happens: [
      { sale: "ada/g1 100", day: 10 },
      { sale: "ada/g1 200", day: 20, order: "2" },
      { close: 20 },
    ],
    lines: ["ada shortfall 900"],
    totals: "ada 1200",
    balances: ["m1 earned 100"],
  },
  {
    shows: "nothing is closed before the period is over",
    agreed: { guarantees: [guarantee] },
    happens: [{ close: 19 }],
    lines: [],
    totals: "",
  },
  {
    shows: "a shortfall is paid once",
    agreed: { guarantees: [guarantee] },
    happens: [{ close: 20 }, { close: 21 }],
    lines: [],
    totals: "ada 1000",
  },
  {
    shows: "a refund within the period makes the shortfall larger",
    agreed: { guarantees: [guarantee] },
    happens: [{ sale: "ada/g1 300", day: 12 }, { refund: "g1 100", day: 13 }, { close: 20 }],
    lines: ["ada shortfall 800"],
    totals: "ada 1000",
    balances: ["m1 earned 200"],
  },
  {
    shows: "a refund after the end changes no shortfall that was paid",
    agreed: { guarantees: [guarantee] },
    happens: [{ sale: "ada/g1 300", day: 12 }, { close: 20 }, { refund: "g1 300", day: 21 }],
    lines: [],
    totals: "ada 700",
    balances: ["m1 earned 0"],
  },
  {
    shows: "shares of other groups and currencies don't count",
    agreed: { guarantees: [{ ...guarantee, groups: ["g1"] }] },
    happens: [
      { sale: "ada/g2 300", day: 12 },
      { sale: "ada/g1 300", day: 12, order: "2", currency: "EUR" },
      { close: 20 },
    ],
    lines: ["ada shortfall 1000"],
    totals: "ada 1600",
  },
  {
    shows: "earned is the share, although an advance is recouped from it",
    agreed: {
      guarantees: [guarantee],
      advances: [{ id: "a1", collaboratorId: "ada", currency: "USD", amount: 300, grantedAt: 0 }],
    },
    happens: [{ sale: "ada/g1 300", day: 12 }, { close: 20 }],
    lines: ["ada shortfall 700"],
    totals: "ada 700",
  },
  {
    shows: "a negative earning makes the shortfall larger than the guarantee",
    agreed: { guarantees: [guarantee] },
    happens: [{ sale: "ada/g1 -300", day: 12 }, { close: 20 }],
    lines: ["ada shortfall 1300"],
    totals: "ada 1000",
  },
]
