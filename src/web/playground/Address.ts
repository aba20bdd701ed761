/** The page's address follows its state, so that a link, a bookmark and going back bring it again. */
import { effect } from "@preact/signals"
import * as Link from "./Link.js"
import * as State from "./State.js"

/** Browsers allow about a hundred changes of the address in half a minute. */
const quietMilliseconds = 500

/** The fragment for what is in the page now. */
export const fragment = (): Promise<string> => Link.write(State.inputs.peek())

const follow = async (): Promise<void> => {
  const text = await fragment()
  if (text.length <= Link.mostCharacters && location.hash !== `#${text}`) {
    history.replaceState(null, "", `#${text}`)
  }
}

/** Takes what the address holds into the page. */
const open = async (): Promise<void> => {
  const found = await Link.read(location.hash.slice(1))
  if (found !== undefined) State.load(found)
}

/** Reads the address, follows it when it is changed by hand, and writes it when the page changes. */
export const watch = async (): Promise<void> => {
  await open()
  window.addEventListener("hashchange", () => void open())
  let isFirst = true
  effect(() => {
    void State.inputs.value
    if (isFirst) {
      isFirst = false
      return undefined
    }
    const timer = setTimeout(() => void follow(), quietMilliseconds)
    return () => clearTimeout(timer)
  })
}
