import * as Effect from "effect/Effect"
import type { LinkJob, LinkStore } from "../../ports/LinkStore.js"
import type { StorageError } from "../../ports/StorageError.js"
import { listProducts } from "./productLists.js"
import {
  type Parameter,
  type Row,
  text,
  textOf,
  textOrNull,
  textOrNullOf,
  texts,
  whole,
  wholeOf,
  wholeOrNull,
} from "./rows.js"
import type { Session } from "./Session.js"

/** Adds what `added` has, so many rows of a group, to the counts. */
const countAdded = `INSERT INTO apportion.link_counts AS known (account_id, group_id, products)
  SELECT $1::text, added.group_id, count(*) FROM added GROUP BY added.group_id
  ON CONFLICT (account_id, group_id) DO UPDATE SET products = known.products + excluded.products`

const add = `WITH added AS (
    INSERT INTO apportion.product_links (account_id, group_id, product_key)
    SELECT account_id, $2, product_key FROM apportion.products
    WHERE account_id = $1::text AND product_key = ANY($3::text[])
    ON CONFLICT (account_id, group_id, product_key) DO NOTHING
    RETURNING group_id
  ) ${countAdded}`

const clear = `WITH gone AS (
    DELETE FROM apportion.product_links WHERE account_id = $1 AND group_id = $2
  ) DELETE FROM apportion.link_counts WHERE account_id = $1 AND group_id = $2`

const setOfProduct = `WITH gone AS (
    DELETE FROM apportion.product_links
    WHERE account_id = $1::text AND product_key = $2 AND group_id <> ALL($3::text[])
    RETURNING group_id
  ), counted AS (
    UPDATE apportion.link_counts c SET products = c.products - 1 FROM gone
    WHERE c.account_id = $1::text AND c.group_id = gone.group_id
  ), added AS (
    INSERT INTO apportion.product_links (account_id, group_id, product_key)
    SELECT p.account_id, given.group_id, p.product_key
    FROM apportion.products p CROSS JOIN unnest($3::text[]) AS given (group_id)
    WHERE p.account_id = $1::text AND p.product_key = $2
    ON CONFLICT (account_id, group_id, product_key) DO NOTHING
    RETURNING group_id
  ) ${countAdded}`

const removeOfProducts = `WITH gone AS (
    DELETE FROM apportion.product_links WHERE account_id = $1 AND product_key = ANY($2::text[])
    RETURNING group_id
  ), lost AS (
    SELECT group_id, count(*) AS products FROM gone GROUP BY group_id
  ) UPDATE apportion.link_counts c SET products = c.products - lost.products FROM lost
  WHERE c.account_id = $1 AND c.group_id = lost.group_id`

const count = `SELECT products AS total FROM apportion.link_counts
  WHERE account_id = $1 AND group_id = $2`

const list = `SELECT p.document::text AS document FROM apportion.product_links l
  JOIN apportion.products p ON p.account_id = l.account_id AND p.product_key = l.product_key
  WHERE l.account_id = $1 AND l.group_id = $2
  ORDER BY left(p.place, 300), p.place OFFSET $3 LIMIT $4`

const counts = `SELECT group_id, products AS total FROM apportion.link_counts
  WHERE account_id = $1 AND group_id = ANY($2::text[])`

const groupsOf = `SELECT product_key, group_id FROM apportion.product_links
  WHERE account_id = $1 AND product_key = ANY($2::text[])`

const jobColumns = `group_id, group_version, after, scanned, status, started_at, updated_at,
  claimed_by, claimed_until`

const job = `SELECT ${jobColumns} FROM apportion.link_jobs WHERE account_id = $1 AND group_id = $2`

const saveJob = `INSERT INTO apportion.link_jobs (account_id, ${jobColumns})
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  ON CONFLICT (account_id, group_id) DO UPDATE SET group_version = excluded.group_version,
    after = excluded.after, scanned = excluded.scanned, status = excluded.status,
    started_at = excluded.started_at, updated_at = excluded.updated_at,
    claimed_by = excluded.claimed_by, claimed_until = excluded.claimed_until`

const removeJob = "DELETE FROM apportion.link_jobs WHERE account_id = $1 AND group_id = $2"

const runningJobs = `SELECT ${jobColumns} FROM apportion.link_jobs
  WHERE account_id = $1 AND status = 'running' ORDER BY started_at, group_id LIMIT $2`

const claimOf = (row: Row): Pick<LinkJob, "claim"> => {
  const by = textOrNullOf(row, "claimed_by")
  return by === null ? {} : { claim: { by, until: wholeOf(row, "claimed_until") } }
}

const readJob = (row: Row): LinkJob => ({
  groupId: textOf(row, "group_id"),
  groupVersion: wholeOf(row, "group_version"),
  after: textOrNullOf(row, "after"),
  scanned: wholeOf(row, "scanned"),
  status: row["status"] === "running" ? "running" : "done",
  startedAt: wholeOf(row, "started_at"),
  updatedAt: wholeOf(row, "updated_at"),
  ...claimOf(row),
})

const jobParameters = (saved: LinkJob): ReadonlyArray<Parameter> => {
  const { groupId, groupVersion, after, scanned, status, startedAt, updatedAt, claim } = saved
  return [
    ...[text(groupId), whole(groupVersion), textOrNull(after), whole(scanned), status],
    ...[whole(startedAt), whole(updatedAt), textOrNull(claim?.by), wholeOrNull(claim?.until)],
  ]
}

type LinkJobs = "job" | "saveJob" | "removeJob" | "runningJobs"

const jobs = (session: Session): Pick<LinkStore, LinkJobs> => ({
  job: (groupId) =>
    Effect.map(session.read("read a link job", job, [text(groupId)]), ([row]) =>
      row === undefined ? undefined : readJob(row),
    ),
  saveJob: (saved) =>
    Effect.asVoid(session.write("save a link job", saveJob, jobParameters(saved))),
  removeJob: (groupId) =>
    Effect.asVoid(session.write("remove a link job", removeJob, [text(groupId)])),
  runningJobs: (limit) =>
    Effect.map(session.read("read the running link jobs", runningJobs, [whole(limit)]), (rows) =>
      rows.map(readJob),
    ),
})

const totalsByGroup = (rows: ReadonlyArray<Row>): ReadonlyMap<string, number> =>
  new Map(rows.map((row) => [textOf(row, "group_id"), wholeOf(row, "total")]))

const groupsByProduct = (rows: ReadonlyArray<Row>): ReadonlyMap<string, ReadonlyArray<string>> => {
  const found = new Map<string, Array<string>>()
  for (const row of rows) {
    const [key, groupId] = [textOf(row, "product_key"), textOf(row, "group_id")]
    const groups = found.get(key)
    if (groups === undefined) found.set(key, [groupId])
    else groups.push(groupId)
  }
  return found
}

/** Takes the links of products away that are about to go. */
export const forgetProducts = (
  session: Session,
  keys: ReadonlyArray<string>,
): Effect.Effect<void, StorageError> =>
  Effect.asVoid(session.write("remove links of products", removeOfProducts, [keys]))

/** The store of links within one transaction. Only products that are in the catalogue can be linked. */
export const make = (session: Session): LinkStore => ({
  add: (groupId, productKeys) =>
    Effect.asVoid(session.write("link products", add, [text(groupId), texts(productKeys)])),
  clear: (groupId) =>
    Effect.asVoid(session.write("clear the links of a group", clear, [text(groupId)])),
  setOfProduct: (productKey, groupIds) =>
    Effect.asVoid(
      session.write("set the links of a product", setOfProduct, [
        text(productKey),
        texts(groupIds),
      ]),
    ),
  products: (groupId, slice) =>
    listProducts(session, { count, list, parameters: [text(groupId)] }, slice),
  counts: (groupIds) =>
    Effect.map(session.read("count linked products", counts, [texts(groupIds)]), (rows) => {
      const totals = totalsByGroup(rows)
      return groupIds.map((groupId) => totals.get(groupId) ?? 0)
    }),
  groupsOf: (productKeys) =>
    Effect.map(
      session.read("read the groups of products", groupsOf, [texts(productKeys)]),
      (rows) => {
        const groups = groupsByProduct(rows)
        return productKeys.map((key) => groups.get(key) ?? [])
      },
    ),
  ...jobs(session),
})
