/** What a test may take of which nothing is known yet. */
const allTheTime = { turns: Number.POSITIVE_INFINITY, milliseconds: 600_000 }

/** Much more than a test took when nothing was mutated: what goes beyond has no end. */
const patienceWith = ({ turns, milliseconds } = { turns: 1_000_000, milliseconds: 1_000 }) => ({
  turns: 20 * turns + 200_000,
  milliseconds: 10 * milliseconds + 5_000,
})

/** What an error says; with some mutants, errors can't even do that. */
export const messageOf = (error, part = "message") => {
  try {
    return String(error?.[part] ?? error).slice(0, 1_000)
  } catch {
    return "an error that can't be told"
  }
}

/** Waits for what a test gave; a promise that is not kept in time is without end, too. */
const settled = async (running, turns, milliseconds) => {
  let timer
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(turns.end()), milliseconds)
  })
  await Promise.race([running, late]).finally(() => clearTimeout(timer))
}

/** Runs a test and gives why it fails; undefined when it does not. */
const failureOf = async ({ body }, turns, patience) => {
  turns.begin(patience)
  try {
    const running = body()
    if (typeof running?.then === "function") await settled(running, turns, patience.milliseconds)
    return turns.over ? "without end" : undefined
  } catch (error) {
    return messageOf(error)
  }
}

/** Runs a test and gives why it fails, if it does, and what it took. */
export const measured = async (test, turns) => {
  const began = performance.now()
  const failure = await failureOf(test, turns, allTheTime)
  return { failure, milliseconds: performance.now() - began, turns: turns.count }
}

/** Runs tests one after another until one fails; gives that one, why it fails, and how many were run. */
export const untilOneFails = async (tests, turns, measures) => {
  let count = 0
  for (const test of tests) {
    count++
    const failure = await failureOf(test, turns, patienceWith(measures.get(test.id)))
    if (failure !== undefined) return { failing: test, failure, count }
  }
  return { count }
}
