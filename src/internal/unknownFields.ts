import type { Problem } from "../Problem.js"
import { mostProblems } from "./problems.js"

/**
 * The fields of an object that it can't have, the first hundred of them; one that is `undefined` is not there.
 *
 * @param options - `isNone`: the words of the message before the names, as `is no field of a group; the
 * fields are`; `place`: where the object stands in a larger one
 */
export const unknownFields = (
  value: unknown,
  names: ReadonlyArray<string>,
  { isNone, place = "" }: { readonly isNone: string; readonly place?: string | undefined },
): ReadonlyArray<Problem> => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return []
  const message = `${isNone} ${names.join(", ")}`
  return Object.entries(value)
    .filter(([name, field]) => field !== undefined && !names.includes(name))
    .slice(0, mostProblems)
    .map(([name, field]) => ({
      path: place === "" ? name : `${place}.${name}`,
      value: field,
      message,
    }))
}
