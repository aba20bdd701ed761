import type { ProductGroup } from "../../rules/ProductGroup.js"
import type { Predicate } from "./Predicate.js"

/** A group with what it asks for. */
export interface Asking {
  readonly group: ProductGroup
  readonly predicate: Predicate
}

const none: ReadonlyArray<number> = []

/** Groups in a row, the most specific first, with those at hand that a value, or nothing at all, makes apply. */
export class GroupRow {
  readonly list: ReadonlyArray<Asking>
  /** The times at which dates of the groups begin or end, in order; worked out when they are first asked for. */
  private times: ReadonlyArray<number> | undefined
  private readonly bare: ReadonlyArray<number>
  private readonly bareOfKind = new Map<number, ReadonlyArray<number>>()
  private readonly ofValue = new Map<number, Array<number>>()

  constructor(list: ReadonlyArray<Asking>) {
    this.list = list
    const bare: Array<number> = []
    for (const [place, { predicate }] of list.entries()) {
      if (predicate.isNever) continue
      const asked = predicate.clauses.filter(({ isWith }) => isWith)
      if (asked.length === 0) bare.push(place)
      for (const { values } of asked) for (const value of values) this.add(value, place)
    }
    this.bare = bare
  }

  private add(value: number, place: number): void {
    const known = this.ofValue.get(value)
    if (known === undefined) this.ofValue.set(value, [place])
    else known.push(place)
  }

  /** The places of the groups that ask for a value, in order. */
  asking(value: number): ReadonlyArray<number> {
    return this.ofValue.get(value) ?? none
  }

  /** The places of the groups that apply to an order without any value, of a kind of product, at some time. */
  applyingToNothing(kind: number | undefined): ReadonlyArray<number> {
    if (kind === undefined) return this.bare
    const known = this.bareOfKind.get(kind)
    if (known !== undefined) return known
    const found = this.bare.filter(
      (place) => this.list[place]?.predicate.kinds?.has(kind) !== false,
    )
    this.bareOfKind.set(kind, found)
    return found
  }

  /** The first time after another one at which dates of any of the groups begin or end. */
  changeAfter(time: number): number {
    this.times ??= this.list
      .flatMap(({ predicate }) => [predicate.startsAt, predicate.endsAt])
      .sort((one, other) => one - other)
    return this.times.find((each) => each > time) ?? Number.POSITIVE_INFINITY
  }
}
