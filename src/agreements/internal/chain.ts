/** How overrides follow one another. */
import type { Override } from "../Agreement.js"

/** How many overrides lead to each collaborator at most, and which overrides lead in a circle. */
export interface OverrideLinks {
  readonly links: ReadonlyMap<string, number>
  /** Indexes of overrides of which each leads to the next and the last to the first, and of those that follow them. */
  readonly circle: ReadonlySet<number>
}

/** Each collaborator comes after everybody whose overrides lead to them; who never can is in a circle or behind one. */
export const linksOf = (
  overrides: ReadonlyArray<Pick<Override, "from" | "collaboratorId">>,
): OverrideLinks => {
  const links = new Map<string, number>()
  const waiting = new Map<string, number>()
  const leaving = new Map<string | null, Array<number>>()
  for (const [place, { from, collaboratorId }] of overrides.entries()) {
    waiting.set(collaboratorId, (waiting.get(collaboratorId) ?? 0) + 1)
    const others = leaving.get(from)
    if (others === undefined) leaving.set(from, [place])
    else others.push(place)
  }
  const open = [null, ...[...leaving.keys()].filter((one) => one !== null && !waiting.has(one))]
  const circle = new Set(overrides.keys())
  for (const one of open) {
    for (const place of leaving.get(one) ?? []) {
      circle.delete(place)
      const receiver = overrides[place]?.collaboratorId ?? ""
      const before = one === null ? 0 : (links.get(one) ?? 0)
      links.set(receiver, Math.max(links.get(receiver) ?? 0, before + 1))
      const left = (waiting.get(receiver) ?? 0) - 1
      waiting.set(receiver, left)
      if (left === 0) open.push(receiver)
    }
  }
  return { links, circle }
}
