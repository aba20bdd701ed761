import ts from "typescript"
import { placeOf, type SourceFile } from "./SourceFile.js"

/** Finds what breaks a rule: each finding names the place. */
export type Rule = (file: SourceFile) => ReadonlyArray<string>

const nodesWhere =
  (is: (node: ts.Node) => boolean): Rule =>
  (file) =>
    file.nodes.filter(is).map((node) => placeOf(file, node))

/** `any`, which switches the type checker off. */
export const anyTypes = nodesWhere((node) => node.kind === ts.SyntaxKind.AnyKeyword)

/** `value!`, which claims what the type checker can't see. */
export const nonNullClaims = nodesWhere(ts.isNonNullExpression)

/** Default exports, whose name each importer makes up anew. */
export const defaultExports = nodesWhere(
  (node) => ts.isExportAssignment(node) || node.kind === ts.SyntaxKind.DefaultKeyword,
)

/** Comments that switch the type checker or the linter off. */
export const silencedChecks: Rule = (file) =>
  [
    ...file.tree.text.matchAll(/@ts-(?:ignore|nocheck|expect-error)|(?:biome|eslint)-\w*ignore/g),
  ].map((match) => `${file.path}: ${match[0]}`)

/** Errors without a tag: what can be expected is a tagged error, with the field and the value. */
export const bareErrors = nodesWhere(
  (node) =>
    ts.isNewExpression(node) &&
    ts.isIdentifier(node.expression) &&
    node.expression.text === "Error",
)

const globals = new Set(
  [
    "console process performance crypto fetch require globalThis global window Deno Bun Buffer",
    "setTimeout setInterval setImmediate queueMicrotask structuredClone localStorage",
  ]
    .join(" ")
    .split(" "),
)

const isGlobalName = (node: ts.Node): boolean => {
  if (!ts.isIdentifier(node) || !globals.has(node.text)) return false
  const { parent } = node
  const isProperty =
    (ts.isPropertyAccessExpression(parent) && parent.name === node) ||
    (ts.isPropertyAssignment(parent) && parent.name === node) ||
    (ts.isPropertySignature(parent) && parent.name === node)
  return !isProperty
}

const readsClock = (node: ts.Node): boolean =>
  ts.isNewExpression(node) &&
  node.expression.getText() === "Date" &&
  (node.arguments ?? []).length === 0

const clocksAndLots =
  /^(?:Date\.now|Math\.random|DateTime\.(?:now|isFuture|isPast|set\w*Current)\w*)$/

const isClockOrChance = (node: ts.Node): boolean =>
  ts.isPropertyAccessExpression(node) && clocksAndLots.test(node.getText())

/** What makes a function depend on more than its arguments: clock, chance, process, network. */
export const impurities = nodesWhere(
  (node) => isGlobalName(node) || readsClock(node) || isClockOrChance(node),
)

/** What both browsers and workers have, and is the same each time it is asked. */
const everywhere = new Set(["crypto", "structuredClone"])

/**
 * What a service must not take from outside: time, ids and chance come from Effect's services, so that a
 * test can set them, and what only Node has would keep it from running elsewhere. Digests are the same
 * each time.
 */
export const worldly = nodesWhere(
  (node) =>
    (isGlobalName(node) && !everywhere.has(node.getText())) ||
    readsClock(node) ||
    isClockOrChance(node) ||
    (ts.isPropertyAccessExpression(node) && /^crypto\.(?!subtle\b)/.test(node.getText())),
)

const linesOf = (file: SourceFile, node: ts.Node): number => {
  const line = (position: number) => file.tree.getLineAndCharacterOfPosition(position).line
  return line(node.getEnd()) - line(node.getStart(file.tree)) + 1
}

/** Functions longer than a number of lines. */
export const longFunctions =
  (most: number): Rule =>
  (file) =>
    nodesWhere((node) => ts.isFunctionLike(node) && linesOf(file, node) > most)(file)

const isCodeLine = (line: string) => !/^\s*(?:$|\/\/|\/\*|\*)/.test(line)

/** Files with more than a number of lines of code; comments and empty lines don't count. */
export const longFiles =
  (most: number): Rule =>
  (file) => {
    const lines = file.tree.text.split("\n").filter(isCodeLine).length
    return lines > most ? [`${file.path} has ${lines} lines of code`] : []
  }

const switches = new Set(["only", "skip", "todo", "skipIf", "runIf", "fails"])
const runners = new Set(["it", "test", "describe", "suite", "bench"])

/** Tests that are left out, or that leave the others out. */
export const switchedTests = nodesWhere(
  (node) =>
    ts.isPropertyAccessExpression(node) &&
    switches.has(node.name.text) &&
    runners.has(node.expression.getText()),
)

/** A rule about the text of any file, whatever its language. */
export type TextRule = (path: string, text: string) => ReadonlyArray<string>

const textWhere =
  (pattern: RegExp): TextRule =>
  (path, text) =>
    text.split("\n").flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}`] : []))

/** Notes of work that is still to do. */
export const leftovers = textWhere(/\b(?:TO)DO\b|\b(?:FIX)ME\b|\b(?:HA)CK\b/)

/** Paths that exist on one machine only. */
export const machinePaths = textWhere(
  /(?:^|[\s"'`(=:])\/(?:home|root|work|tmp|Users|private|var\/folders)\/|\b[A-Z]:\\Users/,
)

const shapelessNames = new Set([
  "util",
  "utils",
  "common",
  "helper",
  "helpers",
  "misc",
  "shared",
  "lib",
])

/** Folders and files whose name says nothing about what is in them. */
export const shapelessPaths = (paths: ReadonlyArray<string>): ReadonlyArray<string> =>
  paths.filter((path) =>
    path.split("/").some((part) => shapelessNames.has(part.replace(/\..*$/, "").toLowerCase())),
  )

/** Nouns that end like participles. */
const nouns = new Set(["posting", "seed"])

/** Files that are called by what something does or what was done to it, and not by what it is. */
export const participles = (paths: ReadonlyArray<string>): ReadonlyArray<string> =>
  paths.filter((path) => {
    const [word = ""] = /[A-Z]?[a-z]+(?=\.tsx?$)/.exec(path) ?? []
    return /(?:ing|ed)$/.test(word) && !nouns.has(word.toLowerCase())
  })

const isTypeDeclaration = (
  node: ts.Node,
): node is ts.InterfaceDeclaration | ts.TypeAliasDeclaration | ts.ClassDeclaration =>
  ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isClassDeclaration(node)

/** Names of types that are declared in more files than so many: one word for as many things. */
export const worn = (files: ReadonlyArray<SourceFile>, most: number): ReadonlyArray<string> => {
  const declaring = new Map<string, Set<string>>()
  for (const { path, tree } of files) {
    for (const { name } of tree.statements.filter(isTypeDeclaration)) {
      if (name === undefined) continue
      declaring.set(name.text, (declaring.get(name.text) ?? new Set()).add(path))
    }
  }
  return [...declaring]
    .filter(([, paths]) => paths.size > most)
    .map(([name, paths]) => `${name}: ${[...paths].sort().join(", ")}`)
}
