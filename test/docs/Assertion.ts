import { stripTypeScriptTypes } from "node:module"
import { Script } from "node:vm"
import ts from "typescript"

/** `expression // => value` in an example: the place of the expression, and the value as written. */
interface Assertion {
  readonly statement: ts.Statement
  /** What is compared: the expression itself, or the name that the statement declares. */
  readonly subject: string
  readonly expected: string
  readonly line: number
}

/** Told of each comparison of an example, with the line inside the example, from 1. */
export type Check = (line: number, actual: unknown, expected: unknown) => void

/** Gives an example the module it imports. */
export type Import = (path: string) => Promise<unknown>

const parse = (code: string) =>
  ts.createSourceFile("example.ts", code, ts.ScriptTarget.ES2023, true, ts.ScriptKind.TS)

const isSigned = (node: ts.Node): node is ts.PrefixUnaryExpression =>
  ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.MinusToken

const isProperty = (node: ts.ObjectLiteralElementLike): boolean =>
  ts.isPropertyAssignment(node) &&
  !ts.isComputedPropertyName(node.name) &&
  isLiteral(node.initializer)

const names = new Set(["undefined", "NaN", "Infinity"])

/** Whether an expression is a plain value: no calls, no names, nothing that could go its own way. */
const isLiteral = (node: ts.Expression): boolean => {
  if (ts.isParenthesizedExpression(node)) return isLiteral(node.expression)
  if (ts.isArrayLiteralExpression(node)) return node.elements.every(isLiteral)
  if (ts.isObjectLiteralExpression(node)) return node.properties.every(isProperty)
  if (ts.isIdentifier(node)) return names.has(node.text)
  if (isSigned(node)) return isLiteral(node.operand)
  return (
    ts.isStringLiteral(node) ||
    ts.isNoSubstitutionTemplateLiteral(node) ||
    ts.isNumericLiteral(node) ||
    ts.isBigIntLiteral(node) ||
    node.kind === ts.SyntaxKind.TrueKeyword ||
    node.kind === ts.SyntaxKind.FalseKeyword ||
    node.kind === ts.SyntaxKind.NullKeyword
  )
}

/** Whether the engine takes a text as a program. It is not run. */
const isProgram = (code: string): boolean => {
  try {
    new Script(code)
    return true
  } catch {
    return false
  }
}

const isLiteralText = (text: string): boolean => {
  const code = `(${text}\n)`
  const statement = isProgram(code) ? parse(code).statements[0] : undefined
  return (
    statement !== undefined &&
    ts.isExpressionStatement(statement) &&
    statement.getEnd() === code.length &&
    isLiteral(statement.expression)
  )
}

const subjectOf = (statement: ts.Statement, source: ts.SourceFile): string | undefined => {
  if (ts.isExpressionStatement(statement)) return statement.expression.getText(source)
  if (!ts.isVariableStatement(statement)) return undefined
  const declared = statement.declarationList.declarations
  const name = declared.length === 1 ? declared[0]?.name : undefined
  return name !== undefined && ts.isIdentifier(name) ? name.text : undefined
}

const statementsOf = (source: ts.SourceFile): ReadonlyArray<ts.Statement> => {
  const found: Array<ts.Statement> = []
  const visit = (node: ts.Node): void => {
    if (ts.isExpressionStatement(node) || ts.isVariableStatement(node)) found.push(node)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

const arrow = /\/\/\s*=>/g
const comment = /^\s*\/\/(?!\s*=>)/

/** The value after an arrow: the rest of the line, and the comment lines below that complete it. */
const valueAt = (code: string, start: number): string | undefined => {
  const [first = "", ...below] = code.slice(start).split("\n")
  let text = first
  for (const line of ["", ...below]) {
    if (line !== "" && !comment.test(line)) return isLiteralText(text) ? text : undefined
    text += line.replace(comment, "\n")
    if (isLiteralText(text)) return text
  }
  return undefined
}

const lineAt = (code: string, position: number) => code.slice(0, position).split("\n").length

const assertionsOf = (code: string, source: ts.SourceFile): ReadonlyArray<Assertion> => {
  const statements = statementsOf(source)
  return [...code.matchAll(arrow)].map((match) => {
    const line = lineAt(code, match.index)
    const statement = statements.find((one) => {
      const between = code.slice(one.getEnd(), match.index)
      return one.getEnd() <= match.index && /^;?\s*$/.test(between)
    })
    const subject = statement === undefined ? undefined : subjectOf(statement, source)
    if (statement === undefined || subject === undefined) {
      throw new Error(`line ${line}: "// =>" has to follow an expression or one declaration`)
    }
    const expected = valueAt(code, match.index + match[0].length)
    if (expected === undefined) {
      throw new Error(`line ${line}: what follows "// =>" has to be a plain value and nothing else`)
    }
    return { statement, subject, expected, line }
  })
}

const specifierOf = (specifier: ts.ImportSpecifier): ReadonlyArray<string> => {
  if (specifier.isTypeOnly) return []
  const { name, propertyName } = specifier
  return [propertyName === undefined ? name.text : `${propertyName.text}: ${name.text}`]
}

/** An import as the statement that asks the caller for the module. */
const importing = (node: ts.ImportDeclaration): string => {
  const module = `await $import(${node.moduleSpecifier.getText()})`
  const clause = node.importClause
  if (clause === undefined) return module
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return ""
  const bindings = clause.namedBindings
  if (bindings !== undefined && ts.isNamespaceImport(bindings)) {
    return `const ${bindings.name.text} = ${module}`
  }
  const named = bindings === undefined ? [] : bindings.elements.flatMap(specifierOf)
  const whole = clause.name === undefined ? [] : [`default: ${clause.name.text}`]
  return `const { ${[...whole, ...named].join(", ")} } = ${module}`
}

interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

const checking = ({ statement, subject, expected, line }: Assertion): Edit => {
  const check = `;$check(${line}, (${subject}), (${expected}\n));`
  return ts.isExpressionStatement(statement)
    ? { start: statement.getStart(), end: statement.getEnd(), text: check }
    : { start: statement.getEnd(), end: statement.getEnd(), text: check }
}

const applied = (code: string, edits: ReadonlyArray<Edit>): string =>
  [...edits]
    .sort((a, b) => b.start - a.start)
    .reduce((text, { start, end, text: put }) => text.slice(0, start) + put + text.slice(end), code)

/** How many values an example states. Throws when one of them is not attached to anything. */
export const count = (code: string): number => assertionsOf(code, parse(code)).length

/** An example as the body of an asynchronous function of `$import` and `$check`. */
export const toProgram = (code: string): string => {
  const source = parse(code)
  const imports = source.statements
    .filter(ts.isImportDeclaration)
    .map((node) => ({ start: node.getStart(), end: node.getEnd(), text: `${importing(node)};` }))
  const program = applied(code, [...imports, ...assertionsOf(code, source).map(checking)])
  return stripTypeScriptTypes(program)
}

/** Runs an example; each stated value is given to the check. */
export const run = async (code: string, load: Import, check: Check): Promise<void> => {
  const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor
  await AsyncFunction("$import", "$check", toProgram(code))(load, check)
}
