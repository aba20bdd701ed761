import type { Condition, ConditionType, Modifier } from "../../groups/ProductGroup.js"
import * as text from "./text.js"

/** A condition in the form in which orders are asked; groups with the same condition share one. */
export interface CompiledCondition {
  readonly type: ConditionType
  readonly not: boolean
  /** As orders are asked for them, each once. */
  readonly values: ReadonlyArray<string>
  /** How many groups have it. */
  groupCount: number
  /** Number of the order to which `answer` belongs: each order is asked once. */
  order: number
  answer: boolean
}

/** The conditions of one type and modifier; most of them have a single value. */
interface Known {
  readonly single: Map<string, CompiledCondition>
  readonly lists: Map<string, CompiledCondition>
}

const foldedValues = ({ type, values }: Condition): ReadonlyArray<string> => {
  const fold = type === "country.code" ? text.foldCountry : text.fold
  const [first, second] = values
  if (first !== undefined && second === undefined) return [fold(first)]
  return [...new Set(values.map(fold))].sort()
}

/** The distinct conditions of a rule set. */
export class Conditions {
  private readonly known = new Map<ConditionType, Record<Modifier, Known>>()

  /** The one form of a condition. */
  share(condition: Condition | null): CompiledCondition | null {
    if (condition === null) return null
    const values = foldedValues(condition)
    const [forms, key] = this.placeOf(condition, values)
    const found = forms.get(key)
    if (found !== undefined) {
      found.groupCount += 1
      return found
    }
    const made = {
      type: condition.type,
      not: condition.modifier === "NOT",
      values,
      groupCount: 1,
      order: 0,
      answer: false,
    }
    forms.set(key, made)
    return made
  }

  /** A group with the condition is gone. */
  release(condition: CompiledCondition | null): void {
    if (condition === null) return
    condition.groupCount -= 1
    if (condition.groupCount > 0) return
    const modifier = condition.not ? "NOT" : "WITH"
    const [forms, key] = this.placeOf({ type: condition.type, modifier }, condition.values)
    forms.delete(key)
  }

  private placeOf(
    { type, modifier }: Pick<Condition, "type" | "modifier">,
    values: ReadonlyArray<string>,
  ): readonly [Map<string, CompiledCondition>, string] {
    const ofType = this.known.get(type) ?? this.add(type)
    const { single, lists } = ofType[modifier]
    const [first] = values
    return first !== undefined && values.length === 1
      ? [single, first]
      : [lists, JSON.stringify(values)]
  }

  private add(type: ConditionType): Record<Modifier, Known> {
    const made = {
      WITH: { single: new Map(), lists: new Map() },
      NOT: { single: new Map(), lists: new Map() },
    }
    this.known.set(type, made)
    return made
  }
}
