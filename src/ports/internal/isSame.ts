/** Whether two texts are the same, in constant time. */
export const isSame = (left: string, right: string): boolean => {
  let difference = left.length ^ right.length
  for (let index = 0; index < left.length; index++) {
    // Beyond the end `charCodeAt` is NaN, which counts as 0 here; the lengths differ anyway.
    difference |= left.charCodeAt(index) ^ right.charCodeAt(index)
  }
  return difference === 0
}
