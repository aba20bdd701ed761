/**
 * Plain data that nothing can change any more, at any depth. What a module exports is one for all that load it: were it
 * sorted or edited in place to be shown, it would decide otherwise from then on.
 */
export const frozen = <A>(value: A): A => {
  if (typeof value !== "object" || value === null) return value
  for (const part of Object.values(value)) frozen(part)
  return Object.freeze(value)
}
