/** So many numbers no test asks for at once. */
const mostNumbers = 2 ** 24

const names = ["Int32Array", "Uint32Array", "Uint16Array", "Uint8Array", "Float64Array"]

const bounded = (array) =>
  new Proxy(array, {
    construct: (target, parameters, maker) => {
      const [size] = parameters
      if (Number.isInteger(size) && size > mostNumbers) {
        throw new RangeError(`without end: ${size} numbers`)
      }
      return Reflect.construct(target, parameters, maker)
    },
  })

/**
 * Arrays of numbers are outside of what `--max-old-space-size` limits: a mutant that lets one grow each time
 * it is asked would take all memory of the machine before anything is counted.
 */
export const boundArrays = () => {
  for (const name of names) globalThis[name] = bounded(globalThis[name])
}
