// How long key strokes and choices take in a page, until the frame after each is painted.

/** From here on it is written down for each of them. */
export const watch = (page) =>
  page.evaluateOnNewDocument(() => {
    window.taken = []
    const seen = async ({ timeStamp }) => {
      await new Promise((done) => requestAnimationFrame(() => setTimeout(done)))
      window.taken.push(performance.now() - timeStamp)
    }
    for (const name of ["input", "change"]) addEventListener(name, seen, true)
  })

/** What was written down since this was asked last. */
export const takenIn = async (page) => {
  await new Promise((done) => setTimeout(done, 200))
  const taken = await page.evaluate(() => window.taken.splice(0))
  return taken.sort((one, other) => one - other)
}

export const fieldOf = async (page, name) => {
  const place = `::-p-xpath(//label[normalize-space(.)="${name}"]/following::*[self::input or self::textarea or self::select][1])`
  return (await page.locator(place).waitHandle()).asElement()
}

/** Types into a field as a person does, key by key. */
export const strokes = async (page, name, text, pause) => {
  const field = await fieldOf(page, name)
  await field.focus()
  await field.evaluate((element) => element.setSelectionRange(0, element.value.length))
  await takenIn(page)
  await page.keyboard.type(text, { delay: pause })
  return takenIn(page)
}

export const told = (taken) =>
  `median ${taken[taken.length >> 1].toFixed(1)} ms, most ${taken.at(-1).toFixed(1)} ms of ${taken.length}`

export const label = (name, text) => console.log(`${name.padEnd(56)} ${text}`)
