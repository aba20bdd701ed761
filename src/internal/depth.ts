/** How deep objects and lists lie inside each other. */

/** Deeper than anything that is read here, and far from where a walk through it would fail. */
export const deepest = 64

const quote = 0x22
const backslash = 0x5c

/** Whether objects and lists lie deeper inside each other than that, in a text of JSON. */
export const isTooDeep = (text: string): boolean => {
  let depth = 0
  let isInText = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (isInText) {
      if (code === backslash) index++
      else if (code === quote) isInText = false
    } else if (code === quote) isInText = true
    else if (code === 0x7b || code === 0x5b) {
      depth++
      if (depth > deepest) return true
    } else if (code === 0x7d || code === 0x5d) depth--
  }
  return false
}
