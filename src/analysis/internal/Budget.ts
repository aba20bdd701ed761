import type { Progress, Steps } from "../Options.js"

/** Between two turns so many steps are taken, and those of the one piece of work that was under way. */
export const stepsOfTurn = 25_000

/** What an analysis is at, and everything that it did so far, counted in steps. */
export class Work {
  steps = 0
  private task = ""
  private done = 0
  private of = 0
  private turnAt = stepsOfTurn

  /** What is begun, and of how many things it consists. */
  begin(task: string, of: number): void {
    this.task = task
    this.done = 0
    this.of = of
  }

  /** One more of these things is done, or several. */
  next(count = 1): void {
    this.done += count
  }

  /** Whether others should have a turn. */
  get isDue(): boolean {
    return this.steps >= this.turnAt
  }

  /** Begins a turn; what is handed over meanwhile. */
  turn(): Progress {
    this.turnAt = this.steps + stepsOfTurn
    const { task, done, of, steps } = this
    return { task, done, of, steps }
  }
}

/**
 * The steps that an analysis may take, or a part of it. A step is about as much work as looking a value up. Whatever
 * takes time in proportion to something takes its steps here: that is what bounds an analysis in time and memory.
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

  /** So many steps of these, if there still are so many. */
  part(steps: number): Budget {
    return new Budget(this.work, steps, this)
  }

  /** A fair share for the next of so many questions, which leaves what it doesn't need to those that follow. */
  share(questions: number): Budget {
    return this.part(Math.ceil(Math.max(0, this.left) / Math.max(1, questions)))
  }

  /** Takes some steps; false when there were not so many left. */
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

/** Questions of one kind, and how one of them is answered with so many steps. */
interface Questions<Question, Answer> {
  readonly questions: ReadonlyArray<Question>
  readonly answer: (question: Question, budget: Budget) => Steps<Answer>
  /** Whether more steps could give another answer. */
  readonly isOpen: (answer: Answer) => boolean
}

/**
 * Answers questions within one budget. Each is given a fair share; those for which that did not suffice are asked
 * once more, with what the others left.
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

/** Goes through an analysis at once. */
export const finish = <Answer>(steps: Steps<Answer>): Answer => {
  let next = steps.next()
  while (next.done !== true) next = steps.next()
  return next.value
}
