import type { Case } from "./Case.js"

const usd = { currency: "USD", grantedAt: 0 }
const ada = { ...usd, collaboratorId: "ada" }
const reprtoir = "https://docs.reprtoir.com/docs/about-royalty-recoupments"
const twoAlbums = "https://mainekick-musicmaking.blogspot.com/2011_06_08_archive.html"
const pacific = "https://www.pacificlicensing.com/blogs/view/24"
const labelworx =
  "https://support.label-worx.com/hc/en-us/articles/6697352246290-How-do-I-set-up-advances-remove-an-advance-or-create-a-cross-recoupable-advance"
const details = "https://www.details.eu/helpdesk/how-to-set-return-reserves/"
const easyRoyalties = "http://easyroyaltiesusa.com/2011/07/minimum-guaranteed-royalties/"
const consumer = "https://californiaconsumerbanking.com/?p=4152"
const anime = "https://www.animenewsnetwork.com/encyclopedia/lexicon.php?id=124"
const examzify =
  "https://sportsmktgstudyguide.examzify.com/question/when-sales-of-licensed-product-69dbbc8c8a7f864f"
const prowi = "https://www.prowi.io/en/glossary/override-commission"
const core = "https://corecommissions.com/management-overrides-commission-within-a-commission"
const statement =
  "http://absolutewrite.com/forums/showthread.php?s=7a05570f2c33c8fb0668a0860335759e&p=5311210"
const goodreads =
  "https://www.goodreads.com/author_blog_posts/8473928-what-an-advance-is-and-how-royalties-are-paid?tab=book"
const scribecount =
  "https://scribecount.com/author-resource/traditional-hybrid-publishing/how-agents-get-paid"

const year = { from: 0, until: 365 * 86_400 }
const guarantee = { id: "m1", collaboratorId: "ada", currency: "USD", ...year }

/** Four half-years after the one in which it was withheld. */
const fourHalves = [181, 362, 543, 724].map((days) => ({ days, percent: 25 }))

/** Examples that others have published, with their figures in cents. */
export const published: ReadonlyArray<Case> = [
  {
    shows: "a label that spent 10,000 pays 5,000 of the first 15,000",
    source: ["Reprtoir, Royalty Recoupments", reprtoir],
    agreed: { advances: [{ ...ada, id: "e1", purpose: "expense", amount: 1_000_000 }] },
    happens: [{ sale: "ada/single 1500000" }],
    lines: ["ada recoupment -1000000"],
    totals: "ada 500000",
    balances: ["e1 open 0"],
  },
  {
    shows: "of two albums by themselves the second pays 20,000 while the first is 180,000 short",
    source: ["Making Your Own Music, Cross-Collateralization", twoAlbums],
    agreed: {
      advances: [
        { ...ada, id: "a1", amount: 20_000_000, groups: ["first"] },
        { ...ada, id: "a2", amount: 20_000_000, groups: ["second"] },
      ],
    },
    happens: [{ sale: "ada/first 2000000, ada/second 22000000" }],
    lines: ["ada recoupment -2000000", "ada recoupment -20000000"],
    totals: "ada 2000000",
    balances: ["a1 open 18000000", "a2 open 0"],
  },
  {
    shows: "of two albums that are recouped together the second pays nothing either",
    source: ["Making Your Own Music, Cross-Collateralization", twoAlbums],
    agreed: {
      advances: [
        { ...ada, id: "a1", amount: 20_000_000, groups: ["first", "second"] },
        { ...ada, id: "a2", amount: 20_000_000, groups: ["first", "second"] },
      ],
    },
    happens: [{ sale: "ada/first 2000000" }, { sale: "ada/second 22000000", order: "2" }],
    lines: ["ada recoupment -18000000", "ada recoupment -4000000"],
    totals: "",
    balances: ["a1 open 0", "a2 open 16000000"],
  },
  {
    shows: "of 12,000 earned against a payment of 10,000, 2,000 are paid",
    source: ["Pacific Licensing, Minimum Guarantees and Payment Schedules", pacific],
    agreed: { advances: [{ ...ada, id: "a1", amount: 1_000_000 }] },
    happens: [{ sale: "ada/toys 1200000" }],
    lines: ["ada recoupment -1000000"],
    totals: "ada 200000",
  },
  {
    shows: "at the end of the term a guarantee of 20,000 lacks 8,000 of 12,000 earned",
    source: ["Pacific Licensing, Minimum Guarantees and Payment Schedules", pacific],
    agreed: {
      advances: [{ ...ada, id: "a1", amount: 1_000_000 }],
      guarantees: [{ ...guarantee, amount: 2_000_000 }],
    },
    happens: [{ sale: "ada/toys 1200000" }, { close: 365 }],
    lines: ["ada shortfall 800000"],
    // Beside the 10,000 that were paid at the beginning.
    totals: "ada 1000000",
  },
  {
    shows: "a duo's advance of 1,000 is two of 500, each recouped from its own half",
    source: ["LabelWorx, advances", labelworx],
    agreed: {
      advances: [
        { ...ada, id: "a1", amount: 50_000 },
        { ...usd, id: "a2", collaboratorId: "ben", amount: 50_000 },
      ],
    },
    happens: [{ sale: "ada/track1 60000, ben/track2 30000" }],
    lines: ["ada recoupment -50000", "ben recoupment -30000"],
    totals: "ada 10000",
    balances: ["a1 open 0", "a2 open 20000"],
  },
  {
    shows: "expenses are recouped first, and advances afterwards",
    source: ["LabelWorx, advances", labelworx],
    agreed: {
      advances: [
        { ...ada, id: "a1", amount: 50_000 },
        { ...ada, id: "e1", amount: 20_000, purpose: "expense" },
      ],
    },
    happens: [{ sale: "ada/track1 30000" }],
    lines: ["ada recoupment -20000", "ada recoupment -10000"],
    totals: "",
    balances: ["a1 open 40000", "e1 open 0"],
  },
  {
    shows: "a reserve of 20 % is liquidated in four equal parts, the first half a year later",
    source: ["details, Return Reserves", details],
    agreed: {
      reserves: [{ id: "r1", collaboratorId: "ada", percent: 20, schedule: fourHalves }],
    },
    happens: [{ sale: "ada/vinyl 1000000" }, { release: 181 }],
    lines: ["ada release 50000"],
    totals: "ada 850000",
    balances: ["r1 held 150000"],
  },
  {
    shows: "after four half-years nothing of the reserve is held",
    source: ["details, Return Reserves", details],
    agreed: {
      reserves: [{ id: "r1", collaboratorId: "ada", percent: 20, schedule: fourHalves }],
    },
    happens: [{ sale: "ada/vinyl 1000000" }, { release: 724 }],
    lines: Array.from({ length: 4 }, () => "ada release 50000"),
    totals: "ada 1000000",
    balances: ["r1 held 0"],
  },
  {
    shows: "8,000 earned of at least 10,000 a year are made up by 2,000",
    source: ["Easy Royalties, Minimum Guaranteed Royalties", easyRoyalties],
    agreed: { guarantees: [{ ...guarantee, amount: 1_000_000 }] },
    happens: [{ sale: "ada/g1 800000" }, { close: 365 }],
    lines: ["ada shortfall 200000"],
    totals: "ada 1000000",
  },
  {
    shows: "5 % of sales of 100,000 are made up to 10,000",
    source: ["California Consumer Banking, minimum royalty guarantee", consumer],
    agreed: { guarantees: [{ ...guarantee, amount: 1_000_000 }] },
    happens: [{ sale: "ada/g1 500000", store: 9_500_000 }, { close: 365 }],
    lines: ["ada shortfall 500000"],
    totals: "ada 1000000, store 9500000",
  },
  {
    shows: "5 % of sales of 400,000 are more than the guaranteed 10,000",
    source: ["California Consumer Banking, minimum royalty guarantee", consumer],
    agreed: { guarantees: [{ ...guarantee, amount: 1_000_000 }] },
    happens: [{ sale: "ada/g1 2000000", store: 38_000_000 }, { close: 365 }],
    lines: ["ada shortfall 0"],
    totals: "ada 2000000, store 38000000",
  },
  {
    shows:
      "a guarantee of 100,000 covers half of the first 200,000, and the next 50,000 are shared",
    source: ["Anime News Network, Minimum Guarantee", anime],
    agreed: { advances: [{ ...ada, id: "a1", amount: 10_000_000 }] },
    happens: [
      { sale: "ada/g1 10000000", store: 10_000_000 },
      { sale: "ada/g1 2500000", store: 2_500_000, order: "2" },
    ],
    lines: [],
    totals: "ada 2500000, store 12500000",
  },
  {
    shows: "a minimum of 1,000,000 lacks 250,000 of 750,000 earned",
    source: ["Examzify, shortfall", examzify],
    agreed: { guarantees: [{ ...guarantee, amount: 100_000_000 }] },
    happens: [{ sale: "ada/g1 75000000" }, { close: 365 }],
    lines: ["ada shortfall 25000000"],
    totals: "ada 100000000",
  },
  {
    shows: "a manager gets 3 % of what each of two reps sold, beside their 10 %",
    source: ["Prowi, Override Commission", prowi],
    agreed: {
      overrides: ["ada", "ben"].map((from) => ({
        ...{ id: `of ${from}`, collaboratorId: "max", from, of: "sale" },
        ...{ paidBy: "store", percent: 3 },
      })),
    },
    // Rep A sold 75,000.00, rep B 60,000.00.
    happens: [
      { sale: "ada/a 750000", store: 6_750_000 },
      { sale: "ben/b 600000", store: 5_400_000, order: "2" },
    ],
    lines: ["max override 180000", "store override -180000"],
    totals: "ada 750000, ben 600000, max 405000, store 11745000",
  },
  {
    shows: "of 12 % of a sale the rep keeps 8 and the supervisor gets 4",
    source: ["Core Commissions, Management Overrides", core],
    agreed: {
      overrides: [
        {
          ...{ id: "o1", collaboratorId: "max", from: "ada" },
          ...{ of: "sale", paidBy: "share", percent: 4 },
        },
      ],
    },
    happens: [{ sale: "ada/g1 12000", store: 88_000 }],
    lines: ["ada override -4000", "max override 4000"],
    totals: "ada 8000, max 4000, store 88000",
  },
  {
    shows: "a balance of 2,000 below zero is 1,100 below it after 900 were earned",
    source: ["Absolute Write, The Royalty Statement", statement],
    agreed: { advances: [{ ...ada, id: "a1", amount: 200_000 }] },
    happens: [{ sale: "ada/book 90000" }],
    lines: ["ada recoupment -90000"],
    totals: "",
    balances: ["a1 open 110000"],
  },
  {
    shows: "at 2.00 a copy an advance of 10,000 is earned by 5,000 copies, and one more is paid",
    source: ["Goodreads, What an Advance is", goodreads],
    agreed: { advances: [{ ...ada, id: "a1", amount: 1_000_000 }] },
    happens: [{ sale: "ada/book 1000000" }, { sale: "ada/book 200", order: "2" }],
    lines: [],
    totals: "ada 200",
    balances: ["a1 open 0"],
  },
  {
    shows: "an agent's 15 % come out of the author's royalties",
    source: ["ScribeCount, How Agents Get Paid", scribecount],
    agreed: {
      overrides: [
        {
          ...{ id: "o1", collaboratorId: "max", from: "ada" },
          ...{ of: "share", paidBy: "share", percent: 15 },
        },
      ],
    },
    happens: [{ sale: "ada/book 1000000" }],
    lines: ["ada override -150000", "max override 150000"],
    totals: "ada 850000, max 150000",
  },
]
