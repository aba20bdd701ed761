import ts from "typescript"

/** The name under which modules find what counts the turns of their loops. */
const counter = "turnOfLoop"

/** Says that a mutant runs without end. */
class TooManyTurns extends Error {}

/** The milliseconds that this process has worked: on a busy machine, fewer than have passed. */
const worked = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

/** Counts the turns of all loops of the core, and ends what makes too many of them or takes too long. */
export class Turns {
  count = 0
  /** Whether there were too many: from then on each turn fails, also where a test catches the failure. */
  over = false
  #limit = Number.POSITIVE_INFINITY
  #deadline = Number.POSITIVE_INFINITY

  constructor() {
    globalThis[counter] = () => this.#turn()
  }

  /** Begins to count anew, up to a number of turns and for a number of milliseconds of work. */
  begin({ turns, milliseconds }) {
    this.count = 0
    this.over = false
    this.#limit = turns
    this.#deadline = worked() + milliseconds
  }

  /** Gives what to throw. */
  end() {
    this.over = true
    return new TooManyTurns(`without end: ${this.count} turns`)
  }

  #turn() {
    this.count++
    if (this.over || this.count > this.#limit) throw this.end()
    // Asking for the time takes longer than most turns.
    if ((this.count & 1023) === 0 && worked() > this.#deadline) throw this.end()
  }
}

const isLoop = (node) =>
  ts.isForStatement(node) ||
  ts.isForOfStatement(node) ||
  ts.isForInStatement(node) ||
  ts.isWhileStatement(node) ||
  ts.isDoStatement(node)

/** What is to be put where, so that a loop counts its turns. */
const insertionsFor = (source, body) =>
  ts.isBlock(body)
    ? [[body.getStart(source) + 1, `${counter}();`]]
    : [
        [body.getStart(source), `{${counter}();`],
        [body.getEnd(), "}"],
      ]

/** The text of a module, each of whose loops counts its turns. */
export const counted = (name, text) => {
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true)
  const insertions = []
  const visit = (node) => {
    if (isLoop(node)) insertions.push(...insertionsFor(source, node.statement))
    ts.forEachChild(node, visit)
  }
  visit(source)
  return insertions
    .sort(([one], [other]) => other - one)
    .reduce((made, [at, what]) => made.slice(0, at) + what + made.slice(at), text)
}
