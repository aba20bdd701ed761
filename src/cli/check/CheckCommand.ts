import { writeFile } from "node:fs/promises"
import { setImmediate } from "node:timers/promises"
import { Analysis } from "../../index.js"
import { meant } from "../../internal/fieldNames.js"
import { printable } from "../../orders/Words.js"
import * as WireAgreement from "../../wire/Agreement.js"
import * as ExitCode from "../ExitCode.js"
import { wholeProblem } from "../Flags.js"
import * as Input from "../input/Input.js"
import type { Note } from "../input/Records.js"
import * as Rules from "../input/Rules.js"
import type { Source } from "../input/Sources.js"
import type { Session } from "../Session.js"
import { inEnglish, Output, Progress } from "../Session.js"
import { type Checked, isAtLeast, severities } from "./CheckReport.js"
import * as RuleOptions from "./RuleOptions.js"

// `apportion check`: finds mistakes and probably unintended rules in product groups.

/** What the command works on. */
export interface CheckOptions {
  readonly groups: Source
  readonly agreements: Source | undefined
  readonly taken: RuleOptions.Opened
  readonly level: Analysis.Severity
  readonly failOn: Analysis.Severity | "never"
  /** Rules to skip, as given. */
  readonly off: ReadonlyArray<string>
  /** How many findings of a kind the text lists, as given. */
  readonly show: string
  readonly format: "text" | "json" | "sarif"
  /** The output file; `undefined`: the standard output. */
  readonly output: string | undefined
}

const ids = Analysis.checkRules.map(({ id }) => id)

const isRule = (name: string): name is Analysis.CheckRule => ids.some((id) => id === name)

const ruleOf = (name: string): Analysis.CheckRule => {
  if (isRule(name)) return name
  const right = meant(name, ids)
  const hint = right === undefined ? `the rules are ${ids.join(", ")}` : `did you mean ${right}?`
  throw new ExitCode.UnusableInput({ message: `--off: there is no rule "${name}", ${hint}` })
}

const severitiesOf = ({ off }: CheckOptions): Analysis.CheckOptions["severities"] => {
  const names = off.flatMap((text) => text.split(",")).map((name) => name.trim())
  return Object.fromEntries(
    names.filter((name) => name !== "").map((name) => [ruleOf(name), "off"]),
  )
}

const shownOf = ({ show }: CheckOptions): number => {
  const message = wholeProblem(show, { flag: "show", least: 0, most: 1_000_000_000 })
  if (message !== undefined) throw new ExitCode.UnusableInput({ message })
  return Number(show) === 0 ? Number.POSITIVE_INFINITY : Number(show)
}

const countsOf = (findings: ReadonlyArray<Analysis.Finding>): Checked["counts"] => {
  const count = (wanted: Analysis.Severity) =>
    findings.filter(({ severity }) => severity === wanted).length
  return { error: count("error"), warning: count("warning"), note: count("note") }
}

const textsOf = async (
  checked: Checked,
  format: CheckOptions["format"],
): Promise<Iterable<string>> => {
  switch (format) {
    case "text":
      return (await import("./CheckReport.js")).plainTexts(checked)
    case "json":
      return (await import("./CheckReport.js")).jsonTexts(checked)
    case "sarif":
      return (await import("./CheckSarif.js")).texts(checked)
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such folder",
  ENOTDIR: "there is no such folder",
  EISDIR: "it is a folder, a file is needed",
  EACCES: "permission denied",
  EROFS: "it is on a disk that can only be read",
  ENOSPC: "the disk is full",
}

const writeTo = async (path: string, text: string): Promise<void> => {
  try {
    await writeFile(path, text)
  } catch (cause) {
    const code: unknown = cause instanceof Error ? Reflect.get(cause, "code") : undefined
    const reason = typeof code === "string" ? (reasons[code] ?? code) : String(cause)
    throw new ExitCode.UnusableInput({ message: `--output: "${path}" can't be written: ${reason}` })
  }
}

const print = async (session: Session, checked: Checked, options: CheckOptions): Promise<void> => {
  const { format, output } = options
  const texts = [...(await textsOf(checked, format))].map((text) =>
    format === "text" ? printable(text) : text,
  )
  if (output !== undefined) return writeTo(output, texts.join(""))
  const sink = new Output(session.io.stdout)
  for (const text of texts) {
    sink.add(text)
    await sink.flushLarge()
  }
  await sink.flush()
}

const isFailing = ({ counts }: Checked, failOn: CheckOptions["failOn"]): boolean =>
  failOn !== "never" &&
  severities.some((severity) => counts[severity] > 0 && isAtLeast(severity, failOn))

/** Agreements in which overrides may lead in circles: a finding. */
const readAgreements = async (source: Source | undefined, note: Note) => {
  if (source === undefined) return undefined
  const records = await Input.readAll(source, { kind: Input.agreements, note })
  const [set, ...others] = Rules.readEach(source.name, records, (value) =>
    WireAgreement.read(value, { keepsCircles: true }),
  )
  if (set !== undefined && others.length === 0) return set
  const message = `${source.name}:1: must be one object with lists of agreements, got ${records.length}`
  throw new ExitCode.UnusableInput({ message })
}

/** Runs the command, and answers the exit code. */
export const run = async (session: Session, options: CheckOptions): Promise<number> => {
  const chosen = severitiesOf(options)
  const shown = shownOf(options)
  const taken = await RuleOptions.read(options.taken, session.note)
  const { groups, agreements: source } = options
  const { note } = session
  const {
    rules: plain,
    counted,
    lines,
  } = await Rules.readTermedGroups(groups, note, {
    hasPayouts: true,
  })
  const rules = counted ?? plain
  const agreements = await readAgreements(source, note)
  const analysis = Analysis.steps.check(rules, { ...taken, severities: chosen, agreements })
  const { findings, proved } = await through(analysis, session)
  const checked = {
    name: options.groups.name,
    isFile: options.groups.isFile === true,
    rules,
    groupCount: plain.groups.length,
    agreements: source,
    policy: taken.policy,
    isKnown: taken.catalogue !== undefined,
    lines,
    findings: findings.filter(({ severity }) => isAtLeast(severity, options.level)),
    counts: countsOf(findings),
    shown,
    proved,
  }
  await print(session, checked, options).catch(ExitCode.unlessClosed)
  return isFailing(checked, options.failOn) ? ExitCode.found : ExitCode.success
}

// Runs an analysis with a progress line; a signal interrupts it.

const progressText = ({ task, done, of, steps }: Analysis.Progress): string =>
  `${task}: ${inEnglish(done)} of ${inEnglish(of)}, ${inEnglish(Math.round(steps))} steps`

/** Runs an analysis, and returns its answer; fails with {@link ExitCode.Interrupted}. */
export const through = async <Answer>(
  analysis: Analysis.Steps<Answer>,
  { io }: Session,
): Promise<Answer> => {
  const progress = new Progress(io.stderr)
  const interrupted = new AbortController()
  const ended = new AbortController()
  void io.stopped(ended.signal).then(() => {
    interrupted.abort(new ExitCode.Interrupted({ message: "interrupted" }))
  })
  try {
    return await Analysis.inTurns(analysis, {
      pause: () => setImmediate(),
      signal: interrupted.signal,
      onProgress: (at) => progress.tell(() => progressText(at)),
    })
  } finally {
    progress.clear()
    ended.abort()
  }
}
