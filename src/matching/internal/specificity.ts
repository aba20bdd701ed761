import { linkTypes, type ProductGroup } from "../../groups/ProductGroup.js"

/** Ids compare by their code units, so that no locale changes who comes first. */
export const compareIds = (left: string, right: string): number =>
  left < right ? -1 : left > right ? 1 : 0

/** A group with the first two things that make it specific as one number: by link, then by condition. */
export interface Placed {
  readonly group: ProductGroup
  readonly place: number
}

export const placed = (group: ProductGroup): Placed => ({
  group,
  place: linkTypes.indexOf(group.link.type) * 2 + Number(group.condition === null),
})

/** Before all times: a group that does not say when it was made is older than any that does. */
const never = Number.NEGATIVE_INFINITY

/** More specific first: link, then condition, then the newer group, then the smaller id. */
export const bySpecificity = (left: Placed, right: Placed): number => {
  if (left.place !== right.place) return left.place - right.place
  const [one, other] = [left.group, right.group]
  if (one.createdAt !== other.createdAt) {
    return (one.createdAt ?? never) > (other.createdAt ?? never) ? -1 : 1
  }
  return compareIds(one.id, other.id)
}
