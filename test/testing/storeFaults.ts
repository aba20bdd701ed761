import { Product } from "apportion"
import {
  productKeyOf,
  type RecordedSale,
  type Slice,
  type Sliced,
  type StorageError,
  StorageFailure,
  type StoredCollaborator,
  type StoredPayout,
  type Stores,
} from "apportion/ports"
import { Effect } from "effect"
import { caught, type Fault, inStores } from "./Fault.js"

/** Everything of a list, for a faulty knife to cut. */
const whole: Slice = { offset: 0, limit: Number.MAX_SAFE_INTEGER }

const inLists = (name: string, cut: <A>(all: ReadonlyArray<A>, slice: Slice) => Sliced<A>): Fault =>
  inStores(name, ({ stores }) => {
    const { collaborators, groups, products, payouts, sales, links } = stores
    const list = <A>(slice: Slice, of: (slice: Slice) => Effect.Effect<Sliced<A>, StorageError>) =>
      Effect.map(of(whole), ({ entries }) => cut(entries, slice))
    return {
      collaborators: { ...collaborators, list: (slice) => list(slice, collaborators.list) },
      groups: { ...groups, list: (id, slice) => list(slice, (one) => groups.list(id, one)) },
      products: { ...products, list: (by, slice) => list(slice, (one) => products.list(by, one)) },
      payouts: { ...payouts, list: (by, slice) => list(slice, (one) => payouts.list(by, one)) },
      sales: { ...sales, list: (by, slice) => list(slice, (one) => sales.list(by, one)) },
      links: { ...links, products: (id, slice) => list(slice, (one) => links.products(id, one)) },
    }
  })

/** One list in another order than it should be. */
const ordered = <A>(
  { entries, total }: Sliced<A>,
  order: (one: A, other: A) => number,
): Sliced<A> => ({ entries: entries.toSorted(order), total })

const sliced = <A>(all: ReadonlyArray<A>, { offset, limit }: Slice): Sliced<A> => ({
  entries: all.filter((_, index) => index >= offset && index - offset < limit),
  total: all.length,
})

const lists: ReadonlyArray<Fault> = [
  inLists("parts begin one too late", (all, { offset, limit }) =>
    sliced(all, { offset: offset + 1, limit }),
  ),
  inLists("parts are one too long", (all, { offset, limit }) =>
    sliced(all, { offset, limit: limit + 1 }),
  ),
  inLists("the total is that of the part", (all, slice) => {
    const { entries } = sliced(all, slice)
    return { entries, total: entries.length }
  }),
  inLists("beyond the end there is no total", (all, slice) =>
    slice.offset >= all.length ? { entries: [], total: 0 } : sliced(all, slice),
  ),
  inLists("the last part is told beyond the end", (all, { offset, limit }) =>
    sliced(all, { offset: Math.min(offset, Math.max(0, all.length - 1)), limit }),
  ),
  inLists("the total is never below 1", (all, slice) => ({
    entries: sliced(all, slice).entries,
    total: Math.max(1, all.length),
  })),
  inLists("lists are backwards", (all, slice) => sliced(all.toReversed(), slice)),
  inStores("collaborators are ordered as in a dictionary", ({ stores: { collaborators } }) => ({
    collaborators: {
      ...collaborators,
      list: (slice) =>
        Effect.map(collaborators.list(slice), (found) =>
          ordered(found, (one, other) => one.collaborator.id.localeCompare(other.collaborator.id)),
        ),
    },
  })),
  inStores("products are ordered by their keys", ({ stores: { products } }) => ({
    products: {
      ...products,
      list: (filter, slice) =>
        Effect.map(products.list(filter, slice), (found) =>
          ordered(found, (one, other) => (productKeyOf(one) < productKeyOf(other) ? -1 : 1)),
        ),
    },
  })),
  inStores("groups without a time come first", ({ stores: { groups } }) => ({
    groups: {
      ...groups,
      list: (id, slice) =>
        Effect.map(groups.list(id, slice), (found) =>
          ordered(
            found,
            (one, other) =>
              Number(one.group.createdAt !== null) - Number(other.group.createdAt !== null),
          ),
        ),
    },
  })),
]

const withVersion = <Row extends { readonly version: number }>(row: Row, known?: Row): Row => ({
  ...row,
  version: known?.version ?? row.version,
})

/** Updates that look at no version: what somebody else wrote in between is lost. */
export const versions: ReadonlyArray<Fault> = [
  inStores("updates of payouts look at no version", ({ stores: { payouts } }) => ({
    payouts: {
      ...payouts,
      update: (change) =>
        Effect.flatMap(payouts.get(change.payout.id), (known) =>
          payouts.update({ ...change, payout: withVersion(change.payout, known) }),
        ),
    },
  })),
  inStores("updates of collaborators look at no version", ({ stores: { collaborators } }) => ({
    collaborators: {
      ...collaborators,
      update: (row) =>
        Effect.flatMap(collaborators.get(row.collaborator.id), (known) =>
          collaborators.update(withVersion(row, known)),
        ),
    },
  })),
  inStores("updates of groups look at no version", ({ stores: { groups } }) => ({
    groups: {
      ...groups,
      update: (row) =>
        Effect.flatMap(groups.get(row.group.id), (known) => groups.update(withVersion(row, known))),
    },
  })),
  inStores("removals of groups look at no version", ({ stores: { groups } }) => ({
    groups: {
      ...groups,
      remove: ({ groupId, version }) =>
        Effect.flatMap(groups.get(groupId), (known) =>
          groups.remove({ groupId, version: known?.version ?? version }),
        ),
    },
  })),
  inStores("refunds look at no version", ({ stores: { sales } }) => ({
    sales: {
      ...sales,
      addRefund: (added) =>
        Effect.flatMap(sales.ofOrder(added.orderId), (parts) =>
          sales.addRefund({
            ...added,
            version: parts.find(({ part }) => part === added.part)?.version ?? added.version,
          }),
        ),
    },
  })),
  inStores("a group that is there is replaced by an insert", ({ stores: { groups } }) => ({
    groups: {
      ...groups,
      insert: (row) =>
        Effect.flatMap(groups.get(row.group.id), (known) =>
          known === undefined
            ? groups.insert(row)
            : groups.update({ ...row, version: known.version }),
        ),
    },
  })),
  inStores("a key that is there stays, and nobody is told", ({ stores: { keys } }) => ({
    keys: {
      ...keys,
      insert: (answer) =>
        Effect.flatMap(keys.get(answer.key), (known) =>
          known === undefined ? keys.insert(answer) : Effect.void,
        ),
    },
  })),
]

const groups: ReadonlyArray<Fault> = [
  inStores("the revision counts groups", ({ stores: { groups } }) => ({
    groups: { ...groups, revision: Effect.map(groups.all, (all) => all.length) },
  })),
  inStores("the revision grows each time it is read", ({ stores: { groups }, kept }) => ({
    groups: {
      ...groups,
      revision: Effect.sync(() => {
        const reads = kept.size
        kept.set(String(reads), true)
        return reads
      }),
    },
  })),
  inStores("all groups are those of one collaborator", ({ stores: { groups } }) => ({
    groups: {
      ...groups,
      all: Effect.map(groups.all, (all) =>
        all.filter(({ collaboratorId }) => collaboratorId === "ada"),
      ),
    },
  })),
  inStores("groups are found once for each time they are asked for", ({ stores: { groups } }) => ({
    groups: {
      ...groups,
      find: (ids) =>
        Effect.map(
          Effect.forEach(ids, (id) => groups.get(id)),
          (found) => found.flatMap((one) => one ?? []),
        ),
    },
  })),
]

const strip = (product: Product.Product): Product.Product =>
  product.sku === null ? { ...product, sku: undefined } : product

const products: ReadonlyArray<Fault> = [
  inStores("null is as good as absent", ({ stores: { products } }) => ({
    products: { ...products, put: (given) => products.put(given.map(strip)) },
  })),
  inStores("products are put beside what was there", ({ stores: { products } }) => ({
    products: {
      ...products,
      put: (given) =>
        Effect.forEach(
          given,
          (product) =>
            Effect.flatMap(products.get([productKeyOf(product)]), ([known]) =>
              products.put([{ ...known, ...product }]),
            ),
          { discard: true },
        ),
    },
  })),
  inStores("products are found by their id alone", ({ stores: { products } }) => ({
    products: {
      ...products,
      find: (ids) =>
        Effect.map(products.find(ids), (found) => found.filter(({ id }) => ids.includes(id))),
    },
  })),
  inStores("a search looks in names alone", ({ stores: { products } }) => ({
    products: {
      ...products,
      list: ({ search = "", ...filter }, slice) =>
        Effect.map(products.list(filter, whole), ({ entries }) =>
          sliced(
            entries.filter(({ name = "" }) => Product.matchesSearch({ id: name }, search)),
            slice,
          ),
        ),
    },
  })),
  inStores("a search takes % and _ for wildcards", ({ stores: { products } }) => ({
    products: {
      ...products,
      list: ({ search = "", ...filter }, slice) => {
        const text = Product.foldText(search).replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")
        const pattern = new RegExp(text.replaceAll("%", ".*").replaceAll("_", "."), "s")
        return Effect.map(products.list(filter, whole), ({ entries }) =>
          sliced(
            entries.filter((one) => Product.searchTexts(one).some((known) => pattern.test(known))),
            slice,
          ),
        )
      },
    },
  })),
  inStores("a blank search finds nothing", ({ stores: { products } }) => ({
    products: {
      ...products,
      list: (filter, slice) =>
        filter.search?.trim() === ""
          ? Effect.succeed({ entries: [], total: 0 })
          : products.list(filter, slice),
    },
  })),
  inStores("a search minds the case", ({ stores: { products } }) => ({
    products: {
      ...products,
      list: ({ search = "", ...filter }, slice) =>
        Effect.map(products.list(filter, whole), ({ entries }) =>
          sliced(
            entries.filter((one) => JSON.stringify(Object.values(one)).includes(search.trim())),
            slice,
          ),
        ),
    },
  })),
  inStores("batches begin with the product they come after", ({ stores: { products } }) => ({
    products: {
      ...products,
      batch: ({ after, limit }) =>
        Effect.map(products.batch({ after: undefined, limit: 1_000_000 }), (all) =>
          all.filter((one) => after === undefined || productKeyOf(one) >= after).slice(0, limit),
        ),
    },
  })),
]

const links: ReadonlyArray<Fault> = [
  inStores(
    "a product that is removed keeps its links",
    ({ stores: { products, links }, kept }) => ({
      products: {
        ...products,
        remove: (keys) =>
          Effect.flatMap(links.groupsOf(keys), (found) => {
            for (const [index, key] of keys.entries()) kept.set(key, found[index])
            return products.remove(keys)
          }),
        put: (given) =>
          Effect.andThen(
            products.put(given),
            Effect.forEach(
              given.map(productKeyOf).filter((key) => kept.has(key)),
              (key) => links.setOfProduct(key, [kept.get(key) ?? []].flat().map(String)),
              { discard: true },
            ),
          ),
      },
    }),
  ),
  inStores("links of a product are added, never taken away", ({ stores: { links } }) => ({
    links: {
      ...links,
      setOfProduct: (key, groupIds) =>
        Effect.forEach(groupIds, (groupId) => links.add(groupId, [key]), { discard: true }),
    },
  })),
  inStores("counts come without groups that have none", ({ stores: { links } }) => ({
    links: {
      ...links,
      counts: (groupIds) =>
        Effect.map(links.counts(groupIds), (counts) => counts.filter((count) => count > 0)),
    },
  })),
  inStores("clearing a group does nothing", ({ stores: { links } }) => ({
    links: { ...links, clear: () => Effect.void },
  })),
  inStores("jobs that are done run on", ({ stores: { links } }) => ({
    links: {
      ...links,
      saveJob: (job) => links.saveJob({ ...job, status: "running" }),
    },
  })),
  inStores("all jobs that run are told, however many are asked for", ({ stores: { links } }) => ({
    links: { ...links, runningJobs: () => links.runningJobs(1_000_000) },
  })),
]

const isActive = ({ status }: { readonly status: string }) => status === "active"

const activeTwice = ({ payouts }: Stores): Pick<Stores, "payouts"> => ({
  payouts: {
    ...payouts,
    insert: (change) =>
      Effect.gen(function* () {
        const { payout } = change
        const known = isActive(payout) ? yield* payouts.active(payout) : undefined
        if (known === undefined) return yield* payouts.insert(change)
        const stored = yield* payouts.insert({
          ...change,
          payout: { ...payout, currency: `${payout.currency} ${payout.id}` },
        })
        return { ...stored, currency: payout.currency }
      }),
  },
})

const payouts: ReadonlyArray<Fault> = [
  inStores("a collaborator has two active payouts", ({ stores }) => activeTwice(stores)),
  inStores("the first payout is the one that is listed last", ({ stores: { payouts } }) => ({
    payouts: {
      ...payouts,
      firstOpenedAt: ({ collaboratorId, currency }) =>
        Effect.map(
          payouts.list({ collaboratorId }, whole),
          ({ entries }) => entries.findLast((one) => one.currency === currency)?.openedAt,
        ),
    },
  })),
  inStores("items that are put again go to the end", ({ stores: { payouts } }) => ({
    payouts: {
      ...payouts,
      update: ({ payout, put = [], remove = [] }) =>
        Effect.flatMap(
          payouts.update({ payout, remove: [...remove, ...put.map(({ id }) => id)] }),
          (next) =>
            Effect.map(payouts.update({ payout: next, put }), (): StoredPayout => next).pipe(
              Effect.as(next),
            ),
        ),
    },
  })),
  inStores("a payout needs items", ({ stores: { payouts } }) => ({
    payouts: {
      ...payouts,
      insert: (change) =>
        change.put === undefined || change.put.length === 0
          ? Effect.fail(StorageFailure.of("insert a payout", "it has no items"))
          : payouts.insert(change),
    },
  })),
  inStores("payouts are listed with their items", ({ stores: { payouts } }) => ({
    payouts: {
      ...payouts,
      list: (filter, slice) =>
        Effect.gen(function* () {
          const { entries, total } = yield* payouts.list(filter, slice)
          const listed = yield* Effect.forEach(entries, (one) =>
            Effect.map(payouts.items(one.id), (items) => ({ ...one, items })),
          )
          return { entries: listed, total }
        }),
    },
  })),
  inStores("items come by their ids", ({ stores: { payouts } }) => ({
    payouts: {
      ...payouts,
      items: (id) =>
        Effect.map(payouts.items(id), (items) =>
          items.toSorted((one, other) => (one.id < other.id ? -1 : 1)),
        ),
    },
  })),
  inStores("a part of the items comes by their ids", ({ stores: { payouts } }) => ({
    payouts: {
      ...payouts,
      someItems: (id, { offset, limit }) =>
        Effect.map(payouts.items(id), (items) =>
          items
            .toSorted((one, other) => (one.id < other.id ? -1 : 1))
            .slice(offset, offset + limit),
        ),
    },
  })),
  inStores("the whole of the items is given for a part", ({ stores: { payouts } }) => ({
    payouts: { ...payouts, someItems: (id) => payouts.items(id) },
  })),
  inStores("items that are removed stay", ({ stores: { payouts } }) => ({
    payouts: { ...payouts, update: ({ payout, put }) => payouts.update({ payout, put }) },
  })),
  inStores("an item is looked for in all payouts", ({ stores: { payouts } }) => ({
    payouts: {
      ...payouts,
      item: (_, itemId) =>
        Effect.gen(function* () {
          const { entries } = yield* payouts.list({}, whole)
          for (const { id } of entries) {
            const found = yield* payouts.item(id, itemId)
            if (found !== undefined) return found
          }
          return undefined
        }),
    },
  })),
  inStores("sales are found by the collaborator or the product alone", ({ stores: { sales } }) => ({
    sales: {
      ...sales,
      list: ({ collaboratorId, productId, ...filter }, slice) =>
        sales.list(
          collaboratorId === undefined ? { ...filter, productId } : { ...filter, collaboratorId },
          slice,
        ),
    },
  })),
  inStores("sales are found by their products' own ids alone", ({ stores: { sales } }) => ({
    sales: {
      ...sales,
      list: (filter, slice) =>
        Effect.map(sales.list(filter, whole), ({ entries }) =>
          sliced(
            entries.filter(
              ({ order }) =>
                filter.productId === undefined ||
                order.items.some(({ product }) => product.id === filter.productId),
            ),
            slice,
          ),
        ),
    },
  })),
  inStores("the end of a range of sales does not belong to it", ({ stores: { sales } }) => ({
    sales: {
      ...sales,
      list: ({ recorded, ...filter }, slice) => {
        const to = recorded?.to === undefined ? undefined : recorded.to - 1
        return sales.list({ ...filter, recorded: recorded && { ...recorded, to } }, slice)
      },
    },
  })),
  inStores("entries are looked for among the payouts of everybody", ({ stores: { payouts } }) => ({
    payouts: {
      ...payouts,
      entries: ({ itemId }) =>
        Effect.gen(function* () {
          const { entries } = yield* payouts.list({}, whole)
          const owners = [...new Set(entries.map(({ collaboratorId }) => collaboratorId))]
          const found = yield* Effect.forEach(owners, (collaboratorId) =>
            payouts.entries({ collaboratorId, itemId }),
          )
          return found.flat().sort((one, other) => (one.payoutId < other.payoutId ? -1 : 1))
        }),
    },
  })),
  inStores("entries are looked for in the active payout alone", ({ stores: { payouts } }) => ({
    payouts: {
      ...payouts,
      entries: (options) =>
        Effect.gen(function* () {
          const { collaboratorId } = options
          const found = yield* payouts.entries(options)
          const active = yield* payouts.list({ collaboratorId, status: "active" }, whole)
          return found.filter(({ payoutId }) => active.entries.some(({ id }) => id === payoutId))
        }),
    },
  })),
  inStores("payouts below zero are those with nothing too", ({ stores: { payouts } }) => ({
    payouts: {
      ...payouts,
      belowZero: ({ after, limit }) =>
        Effect.map(payouts.batch({ after, limit: 1_000_000 }), (all) =>
          all.filter(({ total, status }) => total <= 0 && !status.endsWith("paid")).slice(0, limit),
        ),
    },
  })),
  inStores("payouts below zero are those that are paid too", ({ stores: { payouts } }) => ({
    payouts: {
      ...payouts,
      belowZero: ({ after, limit }) =>
        Effect.map(payouts.batch({ after, limit: 1_000_000 }), (all) =>
          all.filter(({ total }) => total < 0).slice(0, limit),
        ),
    },
  })),
  inStores("amounts lose their last digit", ({ stores: { payouts } }) => ({
    payouts: {
      ...payouts,
      insert: ({ payout, put }) =>
        payouts.insert({ payout: { ...payout, total: Number(payout.total.toPrecision(15)) }, put }),
    },
  })),
  inStores("the end of a range does not belong to it", ({ stores: { payouts } }) => ({
    payouts: {
      ...payouts,
      list: ({ paid, ...filter }, slice) => {
        const to = paid?.to === undefined ? undefined : paid.to - 1
        return payouts.list({ ...filter, paid: paid && { ...paid, to } }, slice)
      },
    },
  })),
  inStores("payouts that were never paid are in open ranges", ({ stores: { payouts } }) => ({
    payouts: {
      ...payouts,
      list: ({ paid, ...filter }, slice) =>
        Effect.map(payouts.list(filter, whole), ({ entries }) =>
          sliced(
            entries.filter(
              ({ paidAt }) =>
                (paidAt ?? 0) >= (paid?.from ?? -Infinity) &&
                (paidAt ?? 0) <= (paid?.to ?? Infinity),
            ),
            slice,
          ),
        ),
    },
  })),
  inStores(
    "the status is not looked at when there is a collaborator",
    ({ stores: { payouts } }) => ({
      payouts: {
        ...payouts,
        list: ({ status, ...filter }, slice) =>
          payouts.list(filter.collaboratorId === undefined ? { ...filter, status } : filter, slice),
      },
    }),
  ),
  inStores("payouts manually paid are paid", ({ stores: { payouts } }) => ({
    payouts: {
      ...payouts,
      list: (filter, slice) =>
        filter.status === "paid"
          ? Effect.map(payouts.list({ ...filter, status: undefined }, whole), ({ entries }) =>
              sliced(
                entries.filter(({ status }) => status.endsWith("paid")),
                slice,
              ),
            )
          : payouts.list(filter, slice),
    },
  })),
  inStores("what is due at a time is not due yet", ({ stores: { payouts } }) => ({
    payouts: {
      ...payouts,
      due: ({ at, limit }) => payouts.due({ at: at - 1, limit }),
      payable: ({ at, limit }) => payouts.payable({ at: at - 1, limit }),
    },
  })),
  inStores("the payouts due come by their ids", ({ stores: { payouts } }) => ({
    payouts: {
      ...payouts,
      due: (options) =>
        Effect.map(payouts.due(options), (found) =>
          found.toSorted((one, other) => (one.id < other.id ? -1 : 1)),
        ),
    },
  })),
]

const ledger: ReadonlyArray<Fault> = [
  inStores("the parts of an order come the last one first", ({ stores: { sales } }) => ({
    sales: {
      ...sales,
      ofOrder: (orderId) => Effect.map(sales.ofOrder(orderId), (parts) => parts.toReversed()),
    },
  })),
  inStores("a part that is there is told as a success", ({ stores: { sales } }) => ({
    sales: {
      ...sales,
      insert: (sale) =>
        Effect.flatMap(sales.ofOrder(sale.orderId), (parts) =>
          parts.length === 0
            ? sales.insert(sale)
            : Effect.succeed<RecordedSale>({ ...sale, version: 1 }),
        ),
    },
  })),
  inStores("postings stay as they were", ({ stores: { sales } }) => ({
    sales: {
      ...sales,
      addRefund: (added) =>
        Effect.flatMap(sales.ofOrder(added.orderId), (parts) =>
          sales.addRefund({
            ...added,
            postings: parts.find(({ part }) => part === added.part)?.postings ?? [],
          }),
        ),
    },
  })),
  inStores("postings stay behind when their items move", ({ stores: { sales } }) => ({
    sales: { ...sales, move: () => Effect.void },
  })),
  inStores("postings of any payout move", ({ stores: { sales } }) => ({
    sales: {
      ...sales,
      move: (moved) =>
        Effect.forEach(
          ["payout", "next"],
          (fromPayoutId) => sales.move({ ...moved, fromPayoutId }),
          { discard: true },
        ),
    },
  })),
  inStores("all of an order moves", ({ stores: { sales } }) => ({
    sales: {
      ...sales,
      move: (moved) =>
        Effect.gen(function* () {
          const orders = moved.items.map(({ orderId }) => sales.ofOrder(orderId))
          const parts = (yield* Effect.all(orders)).flat()
          const items = parts.flatMap(({ orderId, postings }) =>
            postings.map(({ payoutItemId }) => ({ orderId, payoutItemId })),
          )
          yield* sales.move({ ...moved, items })
        }),
    },
  })),
  inStores("only the first item moves", ({ stores: { sales } }) => ({
    sales: { ...sales, move: (moved) => sales.move({ ...moved, items: moved.items.slice(0, 1) }) },
  })),
  inStores("what is as old as the time is forgotten, too", ({ stores: { keys } }) => ({
    keys: { ...keys, removeBefore: (at) => keys.removeBefore(at + 1) },
  })),
  inStores("nobody counts the keys", ({ stores: { keys } }) => ({
    keys: { ...keys, kept: () => Effect.succeed({ count: 0, oldestAt: undefined }) },
  })),
  inStores("nobody is told how much is forgotten", ({ stores: { keys } }) => ({
    keys: { ...keys, removeBefore: (at) => Effect.as(keys.removeBefore(at), 0) },
  })),
]

const composed = (text: string) => text.normalize("NFC")

const aliases: ReadonlyArray<Fault> = [
  inStores("what was handed over is kept as it is", ({ stores, accountId, kept }) => ({
    collaborators: {
      ...stores.collaborators,
      insert: (row) => {
        kept.set(`${accountId}/${row.collaborator.id}`, row.collaborator)
        return stores.collaborators.insert(row)
      },
      get: (id) =>
        Effect.map(stores.collaborators.get(id), (found) => {
          const handed = kept.get(`${accountId}/${id}`)
          if (found === undefined || handed === undefined || found.version > 1) return found
          return { ...found, collaborator: handed as StoredCollaborator["collaborator"] }
        }),
    },
  })),
  inStores("what is stored is given out itself", ({ stores, accountId, kept }) => {
    const watched = caught(stores, ({ run, isChange, name }) => {
      const place = `${accountId} ${name}`
      if (isChange) kept.clear()
      if (isChange || kept.has(place))
        return isChange ? run(stores) : Effect.sync(() => kept.get(place))
      return Effect.map(run(stores), (found) => {
        const given: unknown = structuredClone(found)
        kept.set(place, given)
        return given
      })
    })
    const { collaborators, groups, products, links, payouts, sales, keys } = watched
    return { collaborators, groups, products, links, payouts, sales, keys }
  }),
  inStores("ids are looked for without regard to case", ({ stores: { collaborators } }) => ({
    collaborators: {
      ...collaborators,
      get: (id) =>
        Effect.map(collaborators.list(whole), ({ entries }) =>
          entries.find((one) => one.collaborator.id.toLowerCase() === id.toLowerCase()),
        ),
    },
  })),
  inStores("texts that look alike are the same key", ({ stores: { keys } }) => ({
    keys: {
      ...keys,
      get: (key) => keys.get(composed(key)),
      insert: (answer) => keys.insert({ ...answer, key: composed(answer.key) }),
    },
  })),
  inStores("surrounding spaces are no part of an id", ({ stores: { collaborators } }) => ({
    collaborators: { ...collaborators, get: (id) => collaborators.get(id.trim()) },
  })),
]

/** What adapters can do wrong in their stores. */
export const storeFaults: ReadonlyArray<Fault> = [
  ...[lists, versions, groups, products],
  ...[links, payouts, ledger, aliases],
].flat()
