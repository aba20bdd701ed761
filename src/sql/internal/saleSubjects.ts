/**
 * What recorded sales are found by: whose share of which product is in each part of an order. One with a blank
 * collaborator stands for the product alone, one with a blank product for the collaborator. The first ones stand in
 * columns of the part, as digests; more of them, those that re-splits brought, and those of parts that were recorded
 * before there were columns are rows.
 */
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { LedgerOrder, RecordedSale, SaleFilter } from "../../ports/SaleStore.js"
import { hourOf } from "./migrations/recordedHours.js"
import { subjectColumns } from "./migrations/subjectColumns.js"
import { documentOf, type Parameter, type Row, text, texts, whole, wholeOf } from "./rows.js"

/** A pair, either of which is blank where it stands for the other alone. */
interface SaleSubject {
  readonly collaboratorId: string
  readonly productId: string
  /** What tells it from any other. */
  readonly key: string
}

type Sold = Pick<RecordedSale, "order" | "split">

/** The length says where one id ends and the other begins. */
const subjectOf = (collaboratorId: string, productId: string): SaleSubject => ({
  collaboratorId,
  productId,
  key: `${collaboratorId.length} ${collaboratorId}${productId}`,
})

/** Each pair by which a sale is to be found, as it was recorded or split again, once. */
export const subjectsOf = ({ order, split }: Sold): ReadonlyArray<SaleSubject> => {
  const found = new Map<string, SaleSubject>()
  const add = (collaboratorId: string, productId: string) => {
    const subject = subjectOf(collaboratorId, productId)
    found.set(subject.key, subject)
  }
  const products = new Map<string, ReadonlyArray<string>>()
  for (const { id, product } of order.items) {
    const ids = [product.id, product.externalId ?? ""].filter((one) => one !== "")
    products.set(id, ids)
    for (const productId of ids) add("", productId)
  }
  for (const { collaboratorId, itemId } of split.shares) {
    add(collaboratorId, "")
    for (const productId of products.get(itemId) ?? []) add(collaboratorId, productId)
  }
  return [...found.values()]
}

/** The collaborators and the products of the pairs, each as one parameter. */
export const subjectFields = (subjects: ReadonlyArray<SaleSubject>): ReadonlyArray<Parameter> => [
  texts(subjects.map(({ collaboratorId }) => collaboratorId)),
  texts(subjects.map(({ productId }) => productId)),
]

/** The pairs in the columns of several parts, each once, because a digest takes long; parts name them by their places. */
export interface SubjectsInColumns {
  /** Of each part, the places of its pairs, from 1 on. */
  readonly places: ReadonlyArray<string>
  readonly pairs: ReadonlyArray<SaleSubject>
}

/** What stands in the columns of parts. */
export const subjectsInColumns = (
  parts: ReadonlyArray<ReadonlyArray<SaleSubject>>,
): SubjectsInColumns => {
  const known = new Map<string, number>()
  const pairs: Array<SaleSubject> = []
  const placeOf = (subject: SaleSubject): number => {
    const place = known.get(subject.key) ?? pairs.push(subject)
    known.set(subject.key, place)
    return place
  }
  const places = parts.map(
    (subjects) => `{${subjects.slice(0, subjectColumns.length).map(placeOf).join(",")}}`,
  )
  return { places, pairs }
}

/** Those for which a part has no column. */
export const subjectsInRows = (subjects: ReadonlyArray<SaleSubject>): ReadonlyArray<SaleSubject> =>
  subjects.slice(subjectColumns.length)

/** The digests of an account's pairs as `subjects.digests`, a list in their order. */
export const digestsOf = (collaboratorIds: string, productIds: string): string =>
  `subjects AS MATERIALIZED (
    SELECT array_agg(apportion.subject_of($1::text, collaborator_id, product_id) ORDER BY place) AS digests
    FROM unnest(${collaboratorIds}::text[], ${productIds}::text[])
      WITH ORDINALITY AS s (collaborator_id, product_id, place)
  )`

/** What the columns of a part take from the list of digests. */
export const columnsFrom = (digests: string, places: string): string =>
  subjectColumns.map((_, index) => `${digests}[${places}[${index + 1}]]`).join(", ")

/** Whether a part has a digest in one of its columns. */
export const hasSubject = (part: string, digest: string): string =>
  `${digest} = ANY (array_remove(ARRAY[${subjectColumns.map((name) => `${part}.${name}`).join(", ")}], NULL))`

/** Later than any time. */
const latest = Number.MAX_SAFE_INTEGER

/** Where parts stand that a filter may want: what they are found by, and whether their hours are stored. */
interface PartsSource {
  readonly table: "sale_parts" | "sale_subjects"
  readonly condition: string
  readonly hasHours: boolean
}

const partsOfAll: ReadonlyArray<PartsSource> = [
  { table: "sale_parts", condition: "account_id = $1", hasHours: true },
  { table: "sale_parts", condition: "account_id = $1 AND recorded_hour IS NULL", hasHours: false },
]

const partsOfSubject: ReadonlyArray<PartsSource> = [
  {
    table: "sale_subjects",
    condition:
      "account_id = $1 AND collaborator_id = $6 AND product_id = apportion.term_of($7::text)",
    hasHours: false,
  },
  ...subjectColumns.map((name) => ({
    table: "sale_parts" as const,
    condition: `${name} = apportion.subject_of($1, $6, $7::text)`,
    hasHours: true,
  })),
]

const [firstHour, lastHour] = [hourOf("$2"), hourOf("$3")]
const inRange = "recorded_at BETWEEN $2 AND $3"
const place = "recorded_at, order_id, part"

/** The hours of the parts within the range. Only in its first and last hour are parts read, the others are counted. */
const hoursOf = (sources: ReadonlyArray<PartsSource>, isWanted: (hour: string) => string): string =>
  sources
    .flatMap(({ table, condition, hasHours }) => {
      const hour = hasHours ? "recorded_hour" : hourOf("recorded_at")
      const found = `SELECT ${hour} AS hour FROM apportion.${table} WHERE ${condition} AND ${isWanted(hour)}`
      if (!hasHours) return [`${found} AND ${inRange}`]
      return [
        `${found} AND recorded_hour > ${firstHour} AND recorded_hour < ${lastHour}`,
        `${found} AND recorded_hour = ANY (ARRAY[${firstHour}, ${lastHour}]) AND ${inRange}`,
      ]
    })
    .join(" UNION ALL ")

/** The places of the parts within the range and some hours. */
const placesIn = (sources: ReadonlyArray<PartsSource>, hours: string): string =>
  sources
    .map(({ table, condition, hasHours }) => {
      const hour = hasHours ? "recorded_hour" : hourOf("recorded_at")
      return `SELECT ${hour} AS hour, ${place} FROM apportion.${table}
      WHERE ${condition} AND ${hour} BETWEEN ${hours} AND ${inRange}`
    })
    .join(" UNION ALL ")

/** The parts of the ledger, of everybody or of one subject. */
interface LedgerSource {
  /** A statement of the places of a slice, which are `recorded_at`, `order_id` and `part`, in their order. */
  readonly places: Readonly<Record<LedgerOrder, string>>
  readonly count: string
  /** Of both statements, for a slice. */
  readonly parametersOf: (offset: number, limit: number) => ReadonlyArray<Parameter>
}

const any = (): string => "TRUE"

/** What differs between a list and the same one read from its end. */
interface Direction {
  readonly isPassed: string
  /** The hours in which the places of the slice are, from that of the first one on. */
  readonly hours: string
  /** The order of hours. */
  readonly hour: string
}

const firstOfSlice = "(SELECT hour FROM first)"

const directions: Readonly<Record<LedgerOrder, Direction>> = {
  "earliest first": { isPassed: "<", hours: `${firstOfSlice} AND ${lastHour}`, hour: "hour" },
  "latest first": { isPassed: ">", hours: `${firstHour} AND ${firstOfSlice}`, hour: "hour DESC" },
}

/** By the columns of a part's place. */
export const ledgerOrders: Readonly<Record<LedgerOrder, string>> = {
  "earliest first": "recorded_at, order_id, part",
  "latest first": "recorded_at DESC, order_id DESC, part DESC",
}

/** Up to the hour of the first place of the slice, the indexes of the hours say all; only then rows are read. */
const placesOf = (sources: ReadonlyArray<PartsSource>, order: LedgerOrder): string => {
  const { isPassed, hours, hour } = directions[order]
  return `WITH first AS MATERIALIZED (
      SELECT hour FROM (${hoursOf(sources, any)}) AS found ORDER BY ${hour} OFFSET $4 LIMIT 1
    ), passed AS MATERIALIZED (
      SELECT count(*) AS total FROM (
        ${hoursOf(sources, (own) => `${own} ${isPassed} ${firstOfSlice}`)}
      ) AS found
    )
    SELECT ${place} FROM (
      ${placesIn(sources, hours)}
    ) AS found ORDER BY ${hour}, ${ledgerOrders[order]}
    OFFSET $4 - (SELECT total FROM passed) LIMIT $5`
}

const statementsOf = (
  sources: ReadonlyArray<PartsSource>,
): Pick<LedgerSource, "places" | "count"> => ({
  places: {
    "earliest first": placesOf(sources, "earliest first"),
    "latest first": placesOf(sources, "latest first"),
  },
  // Both statements have the same parameters: where a slice begins and how long it is has no say in the count.
  count: `SELECT count(*) AS total FROM (${hoursOf(sources, any)}) AS found
    WHERE $4::bigint IS NOT NULL AND $5::bigint IS NOT NULL`,
})

const [ofAll, ofOne] = [statementsOf(partsOfAll), statementsOf(partsOfSubject)]

/** Where a filter's parts of the ledger are found, in their order. */
export const sourceOf = ({ recorded = {}, ...subject }: SaleFilter): LedgerSource => {
  const { collaboratorId, productId } = subject
  const range = [whole(recorded.from ?? -latest), whole(recorded.to ?? latest)]
  const isAll = collaboratorId === undefined && productId === undefined
  const given = isAll ? [] : [text(collaboratorId ?? ""), text(productId ?? "")]
  return {
    ...(isAll ? ofAll : ofOne),
    parametersOf: (offset, limit) => [...range, whole(offset), whole(limit), ...given],
  }
}

// Sales that were recorded before they were found by these.

const tableOfSubjects = [
  `CREATE TABLE apportion.sale_subjects (
    account_id apportion.key_text NOT NULL,
    collaborator_id apportion.key_text NOT NULL,
    product_id apportion.sort_text NOT NULL,
    recorded_at apportion.seconds NOT NULL,
    order_id apportion.key_text NOT NULL,
    part bigint NOT NULL,
    PRIMARY KEY (account_id, collaborator_id, product_id, recorded_at, order_id, part),
    FOREIGN KEY (account_id, order_id, part) REFERENCES apportion.sale_parts
  )`,
  `CREATE TRIGGER sale_subjects_never_change BEFORE UPDATE OR DELETE ON apportion.sale_subjects
    FOR EACH ROW EXECUTE FUNCTION apportion.refuse_change()`,
]

const nextParts = `SELECT account_id::text, order_id::text, part, recorded_at::bigint, document::text AS document
  FROM apportion.sale_parts WHERE (account_id, order_id, part) > ($1::text, $2::text, $3::bigint)
  ORDER BY account_id, order_id, part LIMIT 500`

const addSubjects = `INSERT INTO apportion.sale_subjects
  SELECT $1::text, s.collaborator_id, apportion.term_of(s.product_id), $2::bigint, $3::text, $4::bigint
  FROM unnest($5::text[], $6::text[]) AS s (collaborator_id, product_id)`

const plain = (row: Row, column: string): string => String(row[column])

/** Adds what each part of the ledger is found by. Ids stay as they are stored. */
const fillSubjects: Effect.Effect<void, SqlError, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  let last: ReadonlyArray<unknown> = ["", "", 0n]
  for (;;) {
    const rows = yield* sql.unsafe<Row>(nextParts, last)
    for (const row of rows) {
      const fields = subjectFields(subjectsOf(documentOf<Sold>(row)))
      last = [plain(row, "account_id"), plain(row, "order_id"), whole(wholeOf(row, "part"))]
      const [accountId, ...part] = last
      yield* sql.unsafe(addSubjects, [
        accountId,
        whole(wholeOf(row, "recorded_at")),
        ...part,
        ...fields,
      ])
    }
    if (rows.length === 0) return
  }
})

/** The step of the schema with which sales are found by collaborator and product. */
export const saleSubjects = {
  name: "sale_subjects",
  statements: tableOfSubjects,
  fill: fillSubjects,
} as const
