import type { Case } from "./Case.js"

const agent = {
  ...{ id: "o1", collaboratorId: "max", from: "ada" },
  ...{ of: "share", paidBy: "share", percent: 15 },
}

export const overrides: ReadonlyArray<Case> = [
  {
    shows: "an agent gets 15 % of a share, out of it",
    agreed: { overrides: [agent] },
    happens: [{ sale: "ada/g1 1000", store: 500 }],
    lines: ["ada override -150", "max override 150"],
    totals: "ada 850, max 150, store 500",
  },
  {
    shows: "an agent gets 15 % of a share, out of the store's",
    agreed: { overrides: [{ ...agent, paidBy: "store" }] },
    happens: [{ sale: "ada/g1 1000", store: 500 }],
    lines: ["max override 150", "store override -150"],
    totals: "ada 1000, max 150, store 350",
  },
  {
    shows: "3 % of the sale come out of another's share",
    agreed: { overrides: [{ ...agent, of: "sale", percent: 3 }] },
    happens: [{ sale: "ada/g1 1000", store: 500 }],
    lines: ["ada override -45", "max override 45"],
    totals: "ada 955, max 45, store 500",
  },
  {
    shows: "3 % of each sale come out of the store's, whoever has shares of it",
    agreed: {
      overrides: [{ ...agent, of: "sale", paidBy: "store", from: null, percent: 3 }],
    },
    happens: [{ sale: "", store: 500 }],
    lines: ["max override 15", "store override -15"],
    totals: "max 15, store 485",
  },
  {
    shows: "an override of a sale is about the sales in which the other has a share",
    agreed: { overrides: [{ ...agent, of: "sale", paidBy: "store", percent: 3 }] },
    happens: [{ sale: "ben/g1 1000", store: 500 }],
    lines: [],
    totals: "ben 1000, store 500",
  },
  {
    shows: "an override of a sale counts once, though the other has two shares of it",
    agreed: { overrides: [{ ...agent, of: "sale", paidBy: "store", percent: 10 }] },
    happens: [{ sale: "ada/g1 300, ada/g2 200", store: 500 }],
    lines: ["max override 100", "store override -100"],
    totals: "ada 500, max 100, store 400",
  },
  {
    shows: "half a cent goes to who gets the override",
    agreed: { overrides: [{ ...agent, percent: 50 }] },
    happens: [{ sale: "ada/g1 1" }],
    lines: ["ada override -1", "max override 1"],
    totals: "max 1",
  },
  {
    shows: "two overrides of one share are rounded together, the odd cent to the smaller id",
    agreed: {
      overrides: [
        { ...agent, percent: 25 },
        { ...agent, id: "o2", collaboratorId: "eve", percent: 25 },
      ],
    },
    // 0.5, 0.5 and 1 of 2 cents.
    happens: [{ sale: "ada/g1 2" }],
    lines: ["ada override -1", "max override 1"],
    totals: "ada 1, max 1",
  },
  {
    shows: "an override of 100 % leaves nothing",
    agreed: { overrides: [{ ...agent, percent: "100.00" }] },
    happens: [{ sale: "ada/g1 777" }],
    lines: ["ada override -777", "max override 777"],
    totals: "max 777",
  },
  {
    shows: "0 % moves nothing",
    agreed: { overrides: [{ ...agent, percent: 0 }] },
    happens: [{ sale: "ada/g1 777" }],
    lines: [],
    totals: "ada 777",
  },
  {
    shows: "a chain takes its part of the part",
    agreed: {
      overrides: [
        { ...agent, percent: 20 },
        { ...agent, id: "o2", from: "max", collaboratorId: "eve", percent: 10 },
      ],
    },
    happens: [{ sale: "ada/g1 1000" }],
    lines: ["ada override -200", "max override 200", "max override -20", "eve override 20"],
    totals: "ada 800, eve 20, max 180",
  },
  {
    shows: "what two others pay to one is one share of the item for the next link",
    agreed: {
      overrides: [
        { ...agent, percent: 50 },
        { ...agent, id: "o2", collaboratorId: "eve", percent: 50 },
        { ...agent, id: "o3", from: "max", collaboratorId: "zoe", percent: 50 },
        { ...agent, id: "o4", from: "eve", collaboratorId: "zoe", percent: 50 },
        { ...agent, id: "o5", from: "zoe", collaboratorId: "yan", percent: 50 },
      ],
    },
    happens: [{ sale: "ada/g1 100" }],
    lines: [
      ...["ada override -50", "max override 50", "ada override -50", "eve override 50"],
      ...["max override -25", "zoe override 25", "eve override -25", "zoe override 25"],
      ...["zoe override -25", "yan override 25"],
    ],
    totals: "eve 25, max 25, yan 25, zoe 25",
  },
  {
    shows: "an override is cut to what the store has",
    agreed: { overrides: [{ ...agent, paidBy: "store", percent: 50 }] },
    happens: [{ sale: "ada/g1 1000", store: 300 }],
    lines: ["max override 300", "store override -300"],
    totals: "ada 1000, max 300",
  },
  {
    shows: "a store that has nothing pays nothing",
    agreed: { overrides: [{ ...agent, paidBy: "store", percent: 50 }] },
    happens: [{ sale: "ada/g1 1000", store: -300 }],
    lines: [],
    totals: "ada 1000, store -300",
  },
  {
    shows: "an override of the sale is cut to the share that it comes out of",
    agreed: { overrides: [{ ...agent, of: "sale", percent: 50 }] },
    happens: [{ sale: "ada/g1 100", store: 900 }],
    lines: ["ada override -100", "max override 100"],
    totals: "max 100, store 900",
  },
  {
    shows: "a negative share is mirrored",
    agreed: { overrides: [agent] },
    happens: [{ sale: "ada/g1 -1000", store: -500 }],
    lines: ["ada override 150", "max override -150"],
    totals: "ada -850, max -150, store -500",
  },
  {
    shows: "only the groups that it names are about it",
    agreed: { overrides: [{ ...agent, groups: ["g2"] }] },
    happens: [{ sale: "ada/g1 1000, ada/g2 100" }],
    lines: ["ada override -15", "max override 15"],
    totals: "ada 1085, max 15",
  },
  {
    shows: "who gets an override has an advance recouped from it",
    agreed: {
      overrides: [agent],
      advances: [{ id: "a1", collaboratorId: "max", currency: "USD", amount: 100, grantedAt: 0 }],
    },
    happens: [{ sale: "ada/g1 1000" }],
    lines: ["ada override -150", "max override 150", "max recoupment -100"],
    totals: "ada 850, max 50",
    balances: ["a1 open 0"],
  },
  {
    shows: "an advance is recouped from what overrides leave of a share",
    agreed: {
      overrides: [agent],
      advances: [{ id: "a1", collaboratorId: "ada", currency: "USD", amount: 5_000, grantedAt: 0 }],
    },
    happens: [{ sale: "ada/g1 1000" }],
    lines: ["ada override -150", "max override 150", "ada recoupment -850"],
    totals: "max 150",
    balances: ["a1 open 4150"],
  },
  {
    shows: "a refund goes up the chain",
    agreed: {
      overrides: [
        { ...agent, percent: 20 },
        { ...agent, id: "o2", from: "max", collaboratorId: "eve", percent: 10 },
      ],
    },
    happens: [{ sale: "ada/g1 1000" }, { refund: "g1 500" }],
    lines: ["ada override 100", "max override -100", "max override 10", "eve override -10"],
    totals: "ada 400, eve 10, max 90",
  },
  {
    shows: "a refund gives back to the store what it paid for a share",
    agreed: { overrides: [{ ...agent, paidBy: "store" }] },
    happens: [
      { sale: "ada/g1 1000", store: 500 },
      { refund: "g1 1000", store: 500 },
    ],
    lines: ["max override -150", "store override 150"],
    totals: "",
  },
  {
    shows: "a chain of eight links ends with the last cent that there is",
    agreed: {
      overrides: ["b", "c", "d", "e", "f", "g", "h", "i"].map((id, place) => ({
        ...{ ...agent, id, collaboratorId: id, percent: 50 },
        from: ["ada", "b", "c", "d", "e", "f", "g", "h"][place],
      })),
    },
    happens: [{ sale: "ada/g1 256" }],
    lines: [
      ...["ada override -128", "b override 128", "b override -64", "c override 64"],
      ...["c override -32", "d override 32", "d override -16", "e override 16"],
      ...["e override -8", "f override 8", "f override -4", "g override 4"],
      ...["g override -2", "h override 2", "h override -1", "i override 1"],
    ],
    totals: "ada 128, b 64, c 32, d 16, e 8, f 4, g 2, h 1, i 1",
  },
]
