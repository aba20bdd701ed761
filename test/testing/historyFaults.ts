import {
  historyHash,
  type PayoutHistoryEntry,
  type PayoutStore,
  type StorageError,
} from "apportion/ports"
import { Effect } from "effect"
import { type Fault, inStores, type Planting } from "./Fault.js"

type Entries = ReadonlyArray<PayoutHistoryEntry>

const everything = { after: 0, limit: 1_000 }

/** A history that tells something else than it should. */
const telling = (
  name: string,
  tell: (
    entries: Entries,
    planting: Planting & { readonly payoutId: string },
  ) => Entries | Effect.Effect<Entries, StorageError>,
): Fault =>
  inStores(name, (planting) => {
    const { payouts } = planting.stores
    return {
      payouts: {
        ...payouts,
        history: (options) =>
          Effect.flatMap(payouts.history(options), (entries) => {
            const told = tell(entries, { ...planting, payoutId: options.payoutId })
            return Effect.isEffect(told) ? told : Effect.succeed(told)
          }),
      },
    }
  })

/** A history that is cut in another way than it should be. */
const cutting = (
  name: string,
  cut: (entries: Entries, part: { readonly after: number; readonly limit: number }) => Entries,
): Fault =>
  inStores(name, ({ stores: { payouts } }) => ({
    payouts: {
      ...payouts,
      history: ({ payoutId, ...part }) =>
        Effect.map(payouts.history({ payoutId, ...everything }), (all) => cut(all, part)),
    },
  }))

const asText = (one: PayoutHistoryEntry, other: PayoutHistoryEntry) =>
  String(one.version) < String(other.version) ? -1 : 1

/** Keeps what was told once, whatever becomes of the transaction. */
const remembering = ({ stores: { payouts }, accountId, kept }: Planting): PayoutStore => {
  const listOf = (id: string) => (kept.get(`${accountId}/${id}`) ?? []) as Entries
  const note = <A>(id: string, done: Effect.Effect<A, StorageError>) =>
    Effect.tap(done, () =>
      Effect.map(payouts.history({ payoutId: id, ...everything }), (entries) => {
        const last = entries.at(-1)
        if (last !== undefined) kept.set(`${accountId}/${id}`, [...listOf(id), last])
      }),
    )
  return {
    ...payouts,
    insert: (change) => note(change.payout.id, payouts.insert(change)),
    update: (change) => note(change.payout.id, payouts.update(change)),
    history: ({ payoutId, after, limit }) =>
      Effect.sync(() =>
        listOf(payoutId)
          .filter(({ version }) => version > after)
          .slice(0, limit),
      ),
  }
}

const entries: ReadonlyArray<Fault> = [
  telling("who changed a payout is forgotten", (all) =>
    all.map((entry) => ({ ...entry, actor: "unknown" })),
  ),
  telling("nobody is somebody", (all) =>
    all.map((entry) => ({ ...entry, actor: entry.actor === "unknown" ? "" : entry.actor })),
  ),
  telling("entries tell milliseconds", (all) =>
    all.map((entry) => ({ ...entry, at: entry.at * 1_000 })),
  ),
  telling("entries tell a payout as it is now", (all, { stores: { payouts }, payoutId }) =>
    Effect.map(payouts.get(payoutId), (now) =>
      all.map((entry) => ({ ...entry, after: now ?? entry.after })),
    ),
  ),
  telling("the first entry tells a payout before it was there", (all) =>
    all.map((entry) => ({ ...entry, before: entry.before ?? entry.after })),
  ),
  telling("entries tell only the items that were added", (all) =>
    all.map((entry, index) => {
      const known = new Set(all.slice(0, index).flatMap(({ put }) => put.map(({ id }) => id)))
      return { ...entry, put: entry.put.filter(({ id }) => !known.has(id)) }
    }),
  ),
  telling("items that were taken out are told backwards", (all) =>
    all.map((entry) => ({ ...entry, removed: entry.removed.toReversed() })),
  ),
  telling("entries have no hashes", (all) => all.map((entry) => ({ ...entry, hash: null }))),
  telling("each hash is of one entry alone", (all) =>
    Effect.promise(() =>
      Promise.all(all.map(async (entry) => ({ ...entry, hash: await historyHash(entry, null) }))),
    ),
  ),
  inStores("a payout does not know its last hash", ({ stores: { payouts } }) => ({
    payouts: { ...payouts, lastHash: () => Effect.succeed(null) },
  })),
  inStores("what was not kept is in the history", (planting) => ({
    payouts: remembering(planting),
  })),
]

const parts: ReadonlyArray<Fault> = [
  cutting("all of a history is told, however much is asked for", (all, { after }) =>
    all.filter(({ version }) => version > after),
  ),
  cutting("a history begins with the version it comes after", (all, { after, limit }) =>
    all.filter(({ version }) => version >= after).slice(0, limit),
  ),
  cutting("a history is ordered as texts are", (all, { after, limit }) =>
    all
      .filter(({ version }) => version > after)
      .toSorted(asText)
      .slice(0, limit),
  ),
  inStores("histories are looked for without regard to case", ({ stores: { payouts } }) => ({
    payouts: {
      ...payouts,
      history: ({ payoutId, ...part }) =>
        payouts.history({ payoutId: payoutId.toLowerCase(), ...part }),
    },
  })),
]

const batches: ReadonlyArray<Fault> = [
  inStores("batches begin with the payout they come after", ({ stores: { payouts } }) => ({
    payouts: {
      ...payouts,
      batch: ({ after, limit }) =>
        Effect.map(payouts.batch({ after: undefined, limit: 1_000_000 }), (all) =>
          all.filter(({ id }) => after === undefined || id >= after).slice(0, limit),
        ),
    },
  })),
  inStores("an item without a rate is taken for one whose rate was changed", ({ stores }) => ({
    payouts: {
      ...stores.payouts,
      comparedItems: (payoutId) =>
        Effect.map(stores.payouts.items(payoutId), (items) => ({
          items,
          wrongCopies: items
            .filter(({ currencyExchangeRate }) => currencyExchangeRate === null)
            .map(({ id }) => ({ itemId: id, place: "rate", copy: "", original: null })),
        })),
    },
  })),
  inStores("histories begin with the one they come after", ({ stores: { payouts } }) => ({
    payouts: {
      ...payouts,
      historyIds: ({ after, limit }) =>
        Effect.map(payouts.historyIds({ after: undefined, limit: 1_000_000 }), (all) =>
          all.filter((id) => after === undefined || id >= after).slice(0, limit),
        ),
    },
  })),
  inStores("a history is found once for each of its entries", ({ stores: { payouts } }) => ({
    payouts: {
      ...payouts,
      historyIds: (options) =>
        Effect.gen(function* () {
          const ids = yield* payouts.historyIds(options)
          const all = yield* Effect.forEach(ids, (payoutId) =>
            payouts.history({ payoutId, ...everything }),
          )
          return all.flat().map(({ payoutId }) => payoutId)
        }),
    },
  })),
  inStores("batches of payouts come by their dates", ({ stores: { payouts } }) => ({
    payouts: {
      ...payouts,
      batch: (options) =>
        Effect.map(payouts.batch(options), (found) =>
          found.toSorted((one, other) => one.toBePaidAt - other.toBePaidAt),
        ),
    },
  })),
]

/** What adapters can do wrong in the history of payouts. */
export const historyFaults: ReadonlyArray<Fault> = [...entries, ...parts, ...batches]
