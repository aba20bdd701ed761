/**
 * The nine stores of an account, as apportion asks for them. They read and change its tables in memory;
 * `JsonFileStorage.mjs` sees to it that all of the changes are kept, or none.
 */
import { ListOrder, Payment, PayoutStatus, Product } from "apportion"
import { Conflict, historyHash, isSaleOf, productKeyOf } from "apportion/ports"
import { saleKey } from "./Account.mjs"

/** @typedef {import("./Account.mjs").Account} Account */
/** @typedef {import("apportion/ports").PlainStores} PlainStores */

/**
 * A part of a list, with the length of the whole.
 *
 * @template Row
 * @param {ReadonlyArray<Row>} rows
 * @param {import("apportion/ports").Slice} slice
 */
const sliceOf = (rows, { offset, limit }) => ({
  entries: rows.slice(offset, offset + limit),
  total: rows.length,
})

/**
 * Texts in the order of their code units, the same on every machine.
 *
 * @param {string} left
 * @param {string} right
 */
const byText = (left, right) => (left < right ? -1 : left > right ? 1 : 0)

/**
 * The rows with these keys, each once.
 *
 * @template Row
 * @param {Map<string, Row>} table
 * @param {ReadonlyArray<string>} keys
 */
const rowsOf = (table, keys) =>
  [...new Set(keys)].flatMap((key) => {
    const row = table.get(key)
    return row === undefined ? [] : [row]
  })

/**
 * Stores a new row as version 1.
 *
 * @template Row
 * @param {Map<string, Row & { version: number }>} table
 * @param {{ what: string, id: string }} name
 * @param {Row} row
 */
const insertRow = (table, { what, id }, row) => {
  if (table.has(id)) throw Conflict.of(what, id)
  const stored = { ...row, version: 1 }
  table.set(id, stored)
  return stored
}

/**
 * The row with an id, if its version is the one that the caller has read; else somebody was faster.
 *
 * @template {{ version: number }} Row
 * @param {Map<string, Row>} table
 * @param {{ what: string, id: string, version: number }} name
 */
const expectVersion = (table, { what, id, version }) => {
  const row = table.get(id)
  if (row?.version !== version) throw Conflict.of(what, id)
  return row
}

/**
 * Replaces a row, as the next version.
 *
 * @template {{ version: number }} Row
 * @param {Map<string, Row>} table
 * @param {{ what: string, id: string }} name
 * @param {Row} row
 */
const updateRow = (table, { what, id }, row) => {
  expectVersion(table, { what, id, version: row.version })
  const stored = { ...row, version: row.version + 1 }
  table.set(id, stored)
  return stored
}

/**
 * @param {Account} account
 * @returns {PlainStores["collaborators"]}
 */
const collaboratorStore = ({ collaborators }) => {
  /** @param {string} id */
  const named = (id) => ({ what: "collaborator", id })
  return {
    get: async (id) => collaborators.get(id),
    find: async (ids) => rowsOf(collaborators, ids),
    insert: async (row) => insertRow(collaborators, named(row.collaborator.id), row),
    update: async (row) => updateRow(collaborators, named(row.collaborator.id), row),
    list: async (slice) => {
      const rows = [...collaborators.values()]
      return sliceOf(
        rows.sort((left, right) => byText(left.collaborator.id, right.collaborator.id)),
        slice,
      )
    },
  }
}

/**
 * @param {Account} account
 * @returns {PlainStores["groups"]}
 */
const groupStore = (account) => {
  const { groups } = account
  /** @param {string} id */
  const named = (id) => ({ what: "product group", id })
  return {
    get: async (id) => groups.get(id),
    find: async (ids) => rowsOf(groups, ids),
    insert: async (row) => {
      const stored = insertRow(groups, named(row.group.id), row)
      account.groupsRevision += 1
      return stored
    },
    update: async (row) => {
      const stored = updateRow(groups, named(row.group.id), row)
      account.groupsRevision += 1
      return stored
    },
    remove: async ({ groupId, version }) => {
      expectVersion(groups, { ...named(groupId), version })
      groups.delete(groupId)
      account.groupsRevision += 1
    },
    list: async (collaboratorId, slice) => {
      const rows = [...groups.values()].filter((row) => row.group.collaboratorId === collaboratorId)
      rows.sort((left, right) => ListOrder.productGroups(left.group, right.group))
      return sliceOf(rows, slice)
    },
    all: async () => Array.from(groups.values(), (row) => row.group),
    revision: async () => account.groupsRevision,
  }
}

/**
 * The keys of all products that are linked to a collaborator's groups.
 *
 * @param {Account} account
 * @param {string} collaboratorId
 */
const keysOfCollaborator = ({ groups, links }, collaboratorId) => {
  const isTheirs = (/** @type {string} */ groupId) =>
    groups.get(groupId)?.group.collaboratorId === collaboratorId
  const theirs = [...links.values()].filter(({ groupId }) => isTheirs(groupId))
  return new Set(theirs.flatMap(({ productKeys }) => productKeys))
}

/**
 * @param {Account} account
 * @returns {PlainStores["products"]}
 */
const productStore = (account) => {
  const { products, links } = account
  return {
    put: async (given) => {
      for (const product of given) products.set(productKeyOf(product), product)
    },
    remove: async (keys) => {
      const removed = new Set(keys)
      for (const key of removed) products.delete(key)
      for (const { groupId, productKeys } of links.values()) {
        const left = productKeys.filter((key) => !removed.has(key))
        links.set(groupId, { groupId, productKeys: left })
      }
    },
    get: async (keys) => rowsOf(products, keys),
    find: async (ids) => {
      const wanted = new Set(ids)
      return [...products.values()].filter(({ id, externalId, externalVariantId }) =>
        [id, externalId, externalVariantId].some((each) => each !== undefined && wanted.has(each)),
      )
    },
    list: async ({ search, collaboratorId }, slice) => {
      const theirs =
        collaboratorId === undefined ? products : keysOfCollaborator(account, collaboratorId)
      const rows = [...products.values()].filter(
        (product) =>
          theirs.has(productKeyOf(product)) && Product.matchesSearch(product, search ?? ""),
      )
      return sliceOf(rows.sort(ListOrder.products), slice)
    },
    batch: async ({ after, limit }) => {
      const keys = [...products.keys()].filter((key) => after === undefined || key > after)
      return rowsOf(products, keys.sort(byText).slice(0, limit))
    },
  }
}

/**
 * @param {Account} account
 * @returns {PlainStores["links"]}
 */
const linkStore = ({ products, links, jobs }) => {
  const keysOf = (/** @type {string} */ groupId) => links.get(groupId)?.productKeys ?? []
  const link = (/** @type {string} */ groupId, /** @type {ReadonlyArray<string>} */ keys) => {
    links.set(groupId, { groupId, productKeys: [...new Set(keys)] })
  }
  return {
    add: async (groupId, keys) => link(groupId, [...keysOf(groupId), ...keys]),
    clear: async (groupId) => {
      links.delete(groupId)
    },
    setOfProduct: async (key, groupIds) => {
      for (const { groupId, productKeys } of [...links.values()]) {
        link(
          groupId,
          productKeys.filter((each) => each !== key),
        )
      }
      for (const groupId of groupIds) link(groupId, [...keysOf(groupId), key])
    },
    products: async (groupId, slice) =>
      sliceOf(rowsOf(products, keysOf(groupId)).sort(ListOrder.products), slice),
    counts: async (groupIds) => groupIds.map((groupId) => keysOf(groupId).length),
    groupsOf: async (keys) =>
      keys.map((key) =>
        [...links.values()]
          .filter(({ productKeys }) => productKeys.includes(key))
          .map(({ groupId }) => groupId),
      ),
    job: async (groupId) => jobs.get(groupId),
    saveJob: async (job) => {
      jobs.set(job.groupId, job)
    },
    removeJob: async (groupId) => {
      jobs.delete(groupId)
    },
    runningJobs: async (limit) =>
      [...jobs.values()]
        .filter(({ status }) => status === "running")
        .sort(
          (left, right) => left.startedAt - right.startedAt || byText(left.groupId, right.groupId),
        )
        .slice(0, limit),
  }
}

/**
 * Whether a time lies in a range; both ends belong to it, and one that is absent is open.
 *
 * @param {number | null} time
 * @param {import("apportion/ports").TimeRange | undefined} range
 */
const isWithin = (time, range) =>
  range === undefined ||
  (time !== null && time >= (range.from ?? -Infinity) && time <= (range.to ?? Infinity))

/**
 * Items after a change: some taken out, some put in the place of those with their ids, the others added.
 *
 * @param {ReadonlyArray<import("apportion").PayoutItem.PayoutItem>} items
 * @param {Pick<import("apportion/ports").PayoutChange, "put" | "remove">} change
 */
const changedItems = (items, { put = [], remove = [] }) => {
  const byId = new Map(items.map((item) => [item.id, item]))
  for (const id of remove) byId.delete(id)
  for (const item of put) byId.set(item.id, item)
  return [...byId.values()]
}

/**
 * @param {Account} account
 * @param {string} actor Who changes payouts, for their history.
 * @returns {PlainStores["payouts"]}
 */
const payoutStore = ({ payouts, history }, actor) => {
  const all = () => Array.from(payouts.values(), ({ payout }) => payout)
  /** @param {{ collaboratorId: string, currency: string }} owner */
  const allOf = ({ collaboratorId, currency }) =>
    all().filter(
      (payout) => payout.collaboratorId === collaboratorId && payout.currency === currency,
    )
  const activeOf = (/** @type {{ collaboratorId: string, currency: string }} */ owner) =>
    allOf(owner).find(({ status }) => status === "active")
  const entriesOf = (/** @type {string} */ id) => history.get(id)?.entries ?? []
  /** There is at most one active payout of a collaborator and currency; each change is remembered. */
  const save = async (
    /** @type {import("apportion/ports").StoredPayout} */ after,
    /** @type {Pick<import("apportion/ports").PayoutChange, "put" | "remove">} */ change,
  ) => {
    const { id: payoutId, version } = after
    const other = after.status === "active" ? activeOf(after) : undefined
    if (other !== undefined && other.id !== payoutId) throw Conflict.of("active payout", other.id)
    const { payout: before = null, items = [] } = payouts.get(payoutId) ?? {}
    const { put = [], remove = [] } = change
    const removed = [...new Set(remove)].filter((id) => items.some((item) => item.id === id))
    const at = Math.floor(Date.now() / 1_000)
    const entry = { payoutId, version, at, actor, before, after, put, removed }
    const entries = entriesOf(payoutId)
    const hash = await historyHash(entry, entries.at(-1)?.hash ?? null)
    history.set(payoutId, { payoutId, entries: [...entries, { ...entry, hash }] })
    payouts.set(payoutId, { payout: after, items: changedItems(items, change) })
    return after
  }
  return {
    get: async (id) => payouts.get(id)?.payout,
    active: async (owner) => activeOf(owner),
    firstOpenedAt: async (owner) => {
      const times = allOf(owner).map(({ openedAt }) => openedAt)
      return times.length === 0 ? undefined : Math.min(...times)
    },
    insert: async ({ payout, put }) => {
      if (payouts.has(payout.id)) throw Conflict.of("payout", payout.id)
      return save({ ...payout, version: 1 }, { put })
    },
    update: async ({ payout, ...change }) => {
      const { id, version } = payout
      const stored = payouts.get(id)
      if (stored?.payout.version !== version) throw Conflict.of("payout", id)
      return save({ ...payout, version: version + 1 }, change)
    },
    item: async (payoutId, itemId) =>
      payouts.get(payoutId)?.items.find((item) => item.id === itemId),
    items: async (payoutId) => payouts.get(payoutId)?.items ?? [],
    someItems: async (payoutId, { offset, limit }) =>
      (payouts.get(payoutId)?.items ?? []).slice(offset, offset + limit),
    entries: async ({ collaboratorId, itemId }) =>
      [...payouts.values()]
        .filter(({ payout }) => payout.collaboratorId === collaboratorId)
        .flatMap(({ payout, items }) =>
          items
            .filter(({ id, kind }) => id === itemId && (kind === "expense" || kind === "income"))
            .map((item) => ({ payoutId: payout.id, item })),
        )
        .sort((left, right) => byText(left.payoutId, right.payoutId)),
    list: async ({ collaboratorId, status, paid, expected }, slice) => {
      const rows = all().filter(
        (payout) =>
          (collaboratorId === undefined || payout.collaboratorId === collaboratorId) &&
          (status === undefined || payout.status === status) &&
          isWithin(payout.paidAt, paid) &&
          isWithin(payout.toBePaidAt, expected),
      )
      return sliceOf(rows.sort(ListOrder.payouts), slice)
    },
    due: async ({ at, limit }) =>
      all()
        .filter(({ status, toBePaidAt }) => status === "active" && toBePaidAt <= at)
        .sort((left, right) => left.toBePaidAt - right.toBePaidAt || byText(left.id, right.id))
        .slice(0, limit),
    payable: async ({ at, limit }) =>
      all()
        .flatMap((payout) => {
          const { status, payableAt } = payout
          const isPayable = status === "pending" && payableAt !== null && payableAt <= at
          return isPayable ? [{ payout, payableAt }] : []
        })
        .sort(
          (left, right) =>
            left.payableAt - right.payableAt || byText(left.payout.id, right.payout.id),
        )
        .map(({ payout }) => payout)
        .slice(0, limit),
    batch: async ({ after, limit }) =>
      all()
        .filter(({ id }) => after === undefined || id > after)
        .sort((left, right) => byText(left.id, right.id))
        .slice(0, limit),
    belowZero: async ({ after, limit }) =>
      all()
        .filter(({ total, status }) => total < 0 && !PayoutStatus.isSettled(status))
        .filter(({ id }) => after === undefined || id > after)
        .sort((left, right) => byText(left.id, right.id))
        .slice(0, limit),
    history: async ({ payoutId, after, limit }) =>
      entriesOf(payoutId)
        .filter(({ version }) => version > after)
        .slice(0, limit),
    comparedItems: async (payoutId) => ({
      items: payouts.get(payoutId)?.items ?? [],
      wrongCopies: [],
    }),
    historyIds: async ({ after, limit }) =>
      all()
        .map(({ id }) => id)
        .filter((id) => (after === undefined || id > after) && entriesOf(id).length > 0)
        .sort(byText)
        .slice(0, limit),
    lastHash: async (id) => entriesOf(id).at(-1)?.hash ?? null,
  }
}

/**
 * @param {Account} account
 * @returns {PlainStores["payments"]}
 */
const paymentStore = ({ payments }) => {
  /** @typedef {import("apportion/ports").PaymentPlace} Place */
  /** @type {(left: Place, right: Place) => number} */
  const byClaim = (left, right) => left.claimedAt - right.claimedAt || byText(left.id, right.id)
  const inOrder = () => [...payments.values()].sort(byClaim)
  /** @param {{ after?: Place | undefined, limit: number }} slice */
  const next = ({ after, limit }, rows = inOrder()) =>
    rows.filter((row) => after === undefined || byClaim(row, after) > 0).slice(0, limit)
  /** @param {import("apportion").Payment.Payment} payment */
  const refuseSecond = ({ id, payoutId, status }) => {
    const others = [...payments.values()].filter(
      (row) => row.payoutId === payoutId && row.id !== id,
    )
    const isSecond = Payment.isOpen(status) && others.some((row) => Payment.isOpen(row.status))
    if (isSecond) throw Conflict.of("payment", id)
  }
  /** @param {string} id */
  const named = (id) => ({ what: "payment", id })
  return {
    get: async (id) => payments.get(id),
    ofPayout: async (payoutId) => inOrder().filter((row) => row.payoutId === payoutId),
    ofReference: async ({ reference, limit }) =>
      next(
        { limit },
        inOrder().filter((row) => row.reference === reference),
      ),
    insert: async (payment) => {
      refuseSecond(payment)
      return insertRow(payments, named(payment.id), payment)
    },
    update: async (payment) => {
      refuseSecond(payment)
      return updateRow(payments, named(payment.id), payment)
    },
    list: async ({ status, ...slice }) =>
      next(
        slice,
        inOrder().filter((row) => status === undefined || row.status === status),
      ),
    stuck: async ({ sentBefore, ...slice }) => {
      /** @param {import("apportion/ports").StoredPayment} row */
      const isWaiting = ({ status, sentAt, acceptedAt }) =>
        Payment.isUnderWay(status) && acceptedAt === null && (sentAt ?? Infinity) <= sentBefore
      const stuck = inOrder().filter((row) => row.contradiction !== null || isWaiting(row))
      return next(slice, stuck)
    },
  }
}

/**
 * @param {Account} account
 * @returns {PlainStores["sales"]}
 */
const saleStore = ({ sales }) => {
  const partsOf = (/** @type {string} */ orderId) =>
    [...sales.values()]
      .filter((sale) => sale.orderId === orderId)
      .sort((left, right) => left.part - right.part)
  const findRefund = (/** @type {string} */ refundId) =>
    [...sales.values()].flatMap(({ refunds }) => refunds).find(({ id }) => id === refundId)
  return {
    ofOrder: async (orderId) => partsOf(orderId),
    insert: async (sale) => {
      const ids = new Set(sale.order.items.map(({ id }) => id))
      const isKnown = partsOf(sale.orderId).some(
        ({ part, order }) => part === sale.part || order.items.some(({ id }) => ids.has(id)),
      )
      if (isKnown) throw Conflict.of("sale", sale.orderId)
      const known = sale.refunds.find(({ id }) => findRefund(id) !== undefined)
      if (known !== undefined) throw Conflict.of("refund", known.id)
      return insertRow(sales, { what: "sale", id: saleKey(sale) }, sale)
    },
    addRefund: async ({ orderId, part, version, refund, postings }) => {
      const id = saleKey({ orderId, part })
      const sale = expectVersion(sales, { what: "sale", id, version })
      if (findRefund(refund.id) !== undefined) throw Conflict.of("refund", refund.id)
      const refunds = [...sale.refunds, refund]
      return updateRow(sales, { what: "sale", id }, { ...sale, refunds, postings })
    },
    addAdjustment: async ({ orderId, part, version, adjustment, postings }) => {
      const id = saleKey({ orderId, part })
      const sale = expectVersion(sales, { what: "sale", id, version })
      const { adjustments = [] } = sale
      const { runId } = adjustment
      if (adjustments.some((known) => known.runId === runId)) throw Conflict.of("adjustment", runId)
      const changed = { ...sale, adjustments: [...adjustments, adjustment], postings }
      return updateRow(sales, { what: "sale", id }, changed)
    },
    move: async ({ fromPayoutId, toPayoutId, items }) => {
      for (const [id, sale] of sales) {
        const isMoved = (/** @type {import("apportion/ports").Posting} */ posting) =>
          posting.payoutId === fromPayoutId &&
          items.some(
            ({ orderId, payoutItemId }) =>
              orderId === sale.orderId && payoutItemId === posting.payoutItemId,
          )
        if (!sale.postings.some(isMoved)) continue
        const postings = sale.postings.map((posting) =>
          isMoved(posting) ? { ...posting, payoutId: toPayoutId } : posting,
        )
        updateRow(sales, { what: "sale", id }, { ...sale, postings })
      }
    },
    refund: async (refundId) => findRefund(refundId),
    list: async (filter, slice, order) => {
      const found = [...sales.values()].filter((sale) => isSaleOf(filter, sale))
      const rows = found.sort(
        (left, right) =>
          left.recordedAt - right.recordedAt ||
          byText(left.orderId, right.orderId) ||
          left.part - right.part,
      )
      return sliceOf(order === "latest first" ? rows.reverse() : rows, slice)
    },
  }
}

/**
 * @param {Account} account
 * @returns {PlainStores["keys"]}
 */
const keyStore = ({ answers }) => ({
  get: async (key) => answers.get(key),
  insert: async (answer) => {
    if (answers.has(answer.key)) throw Conflict.of("idempotency key", answer.key)
    answers.set(answer.key, answer)
  },
  kept: async () => {
    const times = Array.from(answers.values(), ({ createdAt }) => createdAt)
    return { count: times.length, oldestAt: times.sort((one, other) => one - other)[0] }
  },
  removeBefore: async (at) => {
    const old = [...answers.values()].filter(({ createdAt }) => createdAt < at)
    for (const { key } of old) answers.delete(key)
    return old.length
  },
})

/**
 * @param {Account} account
 * @returns {NonNullable<PlainStores["inbox"]>}
 */
const inboxStore = ({ inbox, notes }) => ({
  notes: async (keys) => rowsOf(notes, keys),
  putNotes: async (added) => {
    for (const note of added) notes.set(note.key, note)
  },
  forgetNotes: async ({ kind, before, limit }) => {
    const old = [...notes.values()]
      .filter((note) => note.kind === kind && note.at < before)
      .sort((left, right) => left.at - right.at || byText(left.key, right.key))
      .slice(0, limit)
    for (const { key } of old) notes.delete(key)
    return old.length
  },
  get: async (key) => inbox.get(key),
  put: async (entry) => {
    inbox.set(entry.key, entry)
  },
  remove: async (key) => {
    inbox.delete(key)
  },
  list: async ({ after, limit, waitsFor, dueBy }) =>
    [...inbox.values()]
      .filter(({ key }) => after === undefined || key > after)
      .filter((entry) => waitsFor === undefined || entry.waitsFor === waitsFor)
      .filter(
        ({ state, nextAttemptAt }) =>
          dueBy === undefined || (state === "waiting" && nextAttemptAt <= dueBy),
      )
      .sort((left, right) => byText(left.key, right.key))
      .slice(0, limit),
  count: async () => inbox.size,
})

/**
 * @param {Account} account
 * @returns {NonNullable<PlainStores["resplits"]>}
 */
const resplitStore = ({ resplits }) => ({
  get: async (runId) => resplits.get(runId)?.run,
  insert: async (given, batches) => {
    if (resplits.has(given.id)) throw Conflict.of("re-split", given.id)
    const run = { ...given, version: 1 }
    resplits.set(run.id, { run, batches })
    return run
  },
  update: async (changed) => {
    const known = resplits.get(changed.id)
    if (known?.run.version !== changed.version) throw Conflict.of("re-split", changed.id)
    const run = { ...changed, version: changed.version + 1 }
    resplits.set(run.id, { ...known, run })
    return run
  },
  batch: async (runId, number) =>
    resplits.get(runId)?.batches.find((batch) => batch.number === number),
  list: async (slice) => {
    const runs = [...resplits.values()]
      .map(({ run }) => run)
      .sort((left, right) => right.proposedAt - left.proposedAt || byText(left.id, right.id))
    return sliceOf(runs, slice)
  },
})

/**
 * @param {Account} account
 * @returns {NonNullable<PlainStores["settings"]>}
 */
const settingsStore = ({ settings }) => ({
  current: async () => settings.get(String(settings.size)),
  append: async (change) => {
    if (change.version !== settings.size + 1) throw Conflict.of("settings", String(change.version))
    settings.set(String(change.version), change)
  },
  list: async (slice) =>
    sliceOf(
      [...settings.values()].sort((left, right) => right.version - left.version),
      slice,
    ),
})

/**
 * @param {Account} account
 * @returns {NonNullable<PlainStores["passes"]>}
 */
const passStore = ({ passes }) => ({
  get: async (passId) => passes.get(passId),
  ofCollaborator: async (collaboratorId) =>
    [...passes.values()]
      .filter((pass) => pass.collaboratorId === collaboratorId)
      .sort((left, right) => byText(left.id, right.id)),
  insert: async (pass) => {
    if (passes.has(pass.id)) throw Conflict.of("pass", pass.id)
    const stored = { ...pass, version: 1 }
    passes.set(pass.id, stored)
    return stored
  },
  update: async (pass) => {
    if (passes.get(pass.id)?.version !== pass.version) throw Conflict.of("pass", pass.id)
    const stored = { ...pass, version: pass.version + 1 }
    passes.set(pass.id, stored)
    return stored
  },
  remove: async (passId) => {
    passes.delete(passId)
  },
})

/**
 * @param {Account} account
 * @returns {NonNullable<PlainStores["counters"]>}
 */
const counterStore = ({ counters }) => ({
  find: async (keys) => [...new Set(keys)].flatMap((key) => counters.get(key) ?? []),
  put: async (all) => {
    for (const counter of all) counters.set(counter.key, counter)
  },
  list: async (slice) =>
    sliceOf(
      [...counters.values()].sort((left, right) => byText(left.key, right.key)),
      slice,
    ),
})

/**
 * A store that takes and gives copies, so that nobody holds on to what is in the tables.
 *
 * @template {object} Store
 * @param {Store} store
 * @returns {Store}
 */
const withCopies = (store) => {
  const methods = Object.entries(store).map(([name, method]) => [
    name,
    async (/** @type {Array<unknown>} */ ...args) =>
      structuredClone(await method(...structuredClone(args))),
  ])
  return Object.fromEntries(methods)
}

/**
 * The stores of an account.
 *
 * @param {Account} account
 * @param {string} actor Who changes something.
 * @returns {PlainStores}
 */
export const storesOf = (account, actor) => ({
  collaborators: withCopies(collaboratorStore(account)),
  groups: withCopies(groupStore(account)),
  products: withCopies(productStore(account)),
  links: withCopies(linkStore(account)),
  payouts: withCopies(payoutStore(account, actor)),
  payments: withCopies(paymentStore(account)),
  sales: withCopies(saleStore(account)),
  keys: withCopies(keyStore(account)),
  inbox: withCopies(inboxStore(account)),
  resplits: withCopies(resplitStore(account)),
  settings: withCopies(settingsStore(account)),
  passes: withCopies(passStore(account)),
  counters: withCopies(counterStore(account)),
})
