import type { Progress, Steps } from "../Options.js"

/** The number of steps between two turns, plus those of the work under way. */
export const stepsOfTurn = 25_000

/** The current task of an analysis, and all its work so far, counted in steps. */
export class Work {
  steps = 0
  private task = ""
  private done = 0
  private of = 0
  private turnAt = stepsOfTurn

  /** Begins a task with a number of parts. */
  begin(task: string, of: number): void {
    this.task = task
    this.done = 0
    this.of = of
  }

  /** One or several parts are done. */
  next(count = 1): void {
    this.done += count
  }

  /** Whether it is time to yield. */
  get isDue(): boolean {
    return this.steps >= this.turnAt
  }

  /** Begins a turn; returns the progress to yield. */
  turn(): Progress {
    this.turnAt = this.steps + stepsOfTurn
    const { task, done, of, steps } = this
    return { task, done, of, steps }
  }
}

/**
 * The steps that an analysis may take, or a part of it. A step is about as much work as looking up a value. All work
 * that grows with the input is counted here, which bounds the time and memory of an analysis.
 */
export class Budget {
  readonly work: Work
  private left: number
  private readonly whole: Budget | undefined

  private constructor(work: Work, steps: number, whole: Budget | undefined) {
    this.work = work
    this.left = steps
    this.whole = whole
  }

  static of(steps: number, work: Work = new Work()): Budget {
    return new Budget(work, steps, undefined)
  }

  /** A part with so many steps, if that many are left. */
  part(steps: number): Budget {
    return new Budget(this.work, steps, this)
  }

  /** An equal share for the next of several questions; unused steps are left to the questions after it. */
  share(questions: number): Budget {
    return this.part(Math.ceil(Math.max(0, this.left) / Math.max(1, questions)))
  }

  /** Takes some steps; false when too few were left. */
  take(steps: number): boolean {
    this.left -= steps
    if (this.whole === undefined) {
      this.work.steps += steps
      return this.left >= 0
    }
    return this.whole.take(steps) && this.left >= 0
  }

  get isSpent(): boolean {
    return this.left < 0 || this.whole?.isSpent === true
  }
}

/** Questions of one kind, and a function that answers one of them within a number of steps. */
interface Questions<Question, Answer> {
  readonly questions: ReadonlyArray<Question>
  readonly answer: (question: Question, budget: Budget) => Steps<Answer>
  /** Whether more steps could give another answer. */
  readonly isOpen: (answer: Answer) => boolean
}

/**
 * Answers questions within one budget. Each gets an equal share; those for which that was too little are tried once
 * more, with the steps that the others left.
 */
export function* answersTo<Question, Answer>(
  { questions, answer, isOpen }: Questions<Question, Answer>,
  budget: Budget,
): Steps<ReadonlyArray<Answer>> {
  const answers: Array<Answer> = []
  for (const [index, question] of questions.entries()) {
    if (budget.work.isDue) yield budget.work.turn()
    answers.push(yield* answer(question, budget.share(questions.length - index)))
    budget.work.next()
  }
  let open = answers.filter(isOpen).length
  for (const [index, question] of questions.entries()) {
    const [known] = answers.slice(index, index + 1)
    if (budget.isSpent || open === 0) break
    if (known === undefined || !isOpen(known)) continue
    answers[index] = yield* answer(question, budget.share(open))
    open -= 1
  }
  return answers
}

/** Runs an analysis without a pause. */
export const finish = <Answer>(steps: Steps<Answer>): Answer => {
  let next = steps.next()
  while (next.done !== true) next = steps.next()
  return next.value
}
