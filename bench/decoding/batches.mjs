// What both parts race: batches of texts, one after the other.

const ordersOfBatch = 200

/** Works on a batch of texts after the other, and on what is made of them before the clock starts. */
export const batchContender = (name, texts, before, work) => {
  let from = 0
  let batch = []
  const prepare = () => {
    if (from >= texts.length) from = 0
    batch = texts.slice(from, from + ordersOfBatch).map(before)
    from += ordersOfBatch
  }
  const run = () => {
    let worked = 0
    for (const each of batch) if (work(each) !== undefined) worked += 1
    return worked
  }
  return { name, lines: () => batch.length, prepare, run }
}
