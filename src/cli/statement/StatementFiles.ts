import { mkdir, open, readdir } from "node:fs/promises"
import { join } from "node:path"
import * as Result from "effect/Result"
import * as Csv from "../../documents/Csv.js"
import { about, header } from "../../documents/StatementCsv.js"
import type { Collaborator } from "../../payouts/Collaborator.js"
import type { PayoutItem } from "../../payouts/PayoutItem.js"
import * as WirePayout from "../../wire/Payout.js"
import * as ExitCode from "../ExitCode.js"
import { Output } from "../Session.js"
import type { Statement } from "./Statement.js"
import type { StatementPayout } from "./StatementAccount.js"
import { json as balanceJson } from "./StatementBalances.js"
import type { StatementFile } from "./StatementPage.js"

// A statement as CSV: a line for each payout item.

const head = (payout: StatementPayout): ReadonlyArray<Csv.Cell> => [
  payout.collaboratorId,
  payout.id,
  payout.status,
  payout.currency,
  payout.toBePaidAt,
  payout.paidAt,
  payout.total,
]

const row = (payout: StatementPayout, item: PayoutItem): ReadonlyArray<Csv.Cell> => [
  ...head(payout),
  ...about(item),
  item.originalAmount,
  item.originalCurrency,
  item.currencyExchangeRate,
  item.amount,
]

/** The total of a payout when the period began, so that its rows add up to its total. */
const openingRow = (payout: StatementPayout, opening: number, from: number | undefined) => [
  ...head(payout),
  ...["brought forward", null, null, null, null, null, from ?? null, null],
  ...[opening, payout.currency, null, opening],
]

/** Amounts are in the lowest unit of their currency, times are Unix seconds. */
export function* csvTexts({ sections, period }: Statement): Generator<string> {
  yield Csv.line(header)
  for (const payout of sections.flatMap(({ payouts }) => payouts)) {
    const { broughtForward } = payout
    if (broughtForward !== undefined) {
      yield Csv.line(openingRow(payout, broughtForward, period.from))
    }
    for (const items of payout.ofPeriod()) yield Csv.lines(items.map((item) => row(payout, item)))
  }
}

// A statement as the service's own JSON: the payouts with their totals and items, in one list.

const indented = (value: unknown, by: string): string =>
  JSON.stringify(value, undefined, 2).replace(/^/gm, by)

/** The end of a payout's JSON before its items are added. */
const noItems = "[]\n    }"

function* payoutTexts(payout: StatementPayout, collaborator: Collaborator): Generator<string> {
  const viewOf = (items: ReadonlyArray<PayoutItem>) =>
    Result.getOrThrow(WirePayout.writeView({ ...payout, items }, collaborator, payout))
  const whole = indented(viewOf([]), "    ")
  yield whole.slice(0, -noItems.length)
  let separator = "["
  for (const items of payout.all()) {
    for (const item of viewOf(items).items) {
      yield `${separator}\n${indented(item, "        ")}`
      separator = ","
    }
  }
  yield separator === "," ? "\n      ]\n    }" : noItems
}

/**
 * `{ "data": [payout …] }`, with all fields that the store may see. A payout has all its items, also those from before
 * the period: their sum is its total. With agreements there are their `balances`, with terms the `counters`.
 */
export function* jsonTexts({ sections, balances }: Statement): Generator<string> {
  let separator = '{\n  "data": ['
  for (const { collaborator, payouts } of sections) {
    for (const payout of payouts) {
      yield `${separator}\n`
      yield* payoutTexts(payout, collaborator)
      separator = ","
    }
  }
  yield separator === "," ? "\n  ]" : `${separator}]`
  for (const [name, value] of Object.entries(balances === undefined ? {} : balanceJson(balances))) {
    yield `,\n  ${JSON.stringify(name)}: ${indented(value, "  ").trimStart()}`
  }
  yield "\n}\n"
}

// A statement as one file per collaborator, and an index page.

const longestName = 60

/** The name of the index page. */
export const indexName = "index"

/** A file name that is valid on every system: other characters are written as a code, such as `%2F`. */
const fileNameOf = (id: string): string =>
  id
    .replace(
      /[^\p{L}\p{N}_-]/gu,
      (character) => `%${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}`,
    )
    .slice(0, longestName)

/** The file extension of each format. */
export const extensions = { table: "txt", json: "json", csv: "csv", html: "html" }

/** Names files by ids; names that some file systems treat as equal get numbers. */
export const namer = () => {
  const taken = new Set([indexName])
  return (id: string): string => {
    const name = fileNameOf(id)
    const numbered = (count: number): string => {
      const candidate = count === 1 ? name : `${name}~${count}`
      return taken.has(candidate.toLowerCase()) ? numbered(count + 1) : candidate
    }
    const found = numbered(1)
    taken.add(found.toLowerCase())
    return found
  }
}

const refuse = (folder: string, message: string): never => {
  throw new ExitCode.UnusableInput({ message: `--output-dir: ${folder}: ${message}` })
}

export const orRefuse = async <A>(folder: string, work: () => Promise<A>): Promise<A> => {
  try {
    return await work()
  } catch (cause) {
    if (ExitCode.isStopped(cause)) throw cause
    return refuse(folder, cause instanceof Error ? cause.message : String(cause))
  }
}

/** Creates the folder. A non-empty one is refused, so that an earlier statement is not overwritten. */
export const prepare = (folder: string): Promise<void> =>
  orRefuse(folder, async () => {
    await mkdir(folder, { recursive: true })
    if ((await readdir(folder)).length > 0) refuse(folder, "must be empty or not exist yet")
  })

const writeFile = async (path: string, texts: Iterable<string>): Promise<void> => {
  const file = await open(path, "wx")
  try {
    const write = async (text: string | Uint8Array) => void (await file.writeFile(text))
    const output = new Output({ isTerminal: false, columns: undefined, write })
    for (const text of texts) {
      output.add(text)
      await output.flushLarge()
    }
    await output.flush()
  } finally {
    await file.close()
  }
}

/** Writes the file of each collaborator with payouts, and the index page; returns the number of these collaborators. */
export const write = (
  folder: string,
  statement: Statement,
  options: {
    readonly extension: string
    readonly texts: (statement: Statement) => Iterable<string>
    /** The lines that name the issuer of the statement. */
    readonly issuer: ReadonlyArray<string>
  },
): Promise<number> =>
  orRefuse(folder, async () => {
    const nameOf = namer()
    const files: Array<StatementFile> = statement.sections
      .filter(({ payouts }) => payouts.length > 0)
      .map((section) => ({
        section,
        name: `${nameOf(section.collaborator.id)}.${options.extension}`,
      }))
    for (const { section, name } of files) {
      await writeFile(
        join(folder, name),
        options.texts({ ...statement, sections: [section], balances: undefined }),
      )
    }
    const { text } = await import("./StatementPage.js")
    await writeFile(join(folder, `${indexName}.html`), [text(statement, files, options.issuer)])
    return files.length
  })
