import type { ProductGroup } from "../../../groups/ProductGroup.js"
import type { RuleSet } from "../../../matching/RuleSet.js"
import type { CheckRule } from "../../CheckRules.js"
import type { DeadGroups } from "../../DeadGroups.js"
import type { Witness } from "../../Witness.js"
import type { Inquiry } from "../Inquiry.js"
import type { Setting } from "../Setting.js"
import type { Vocabulary } from "./Vocabulary.js"

/** What is looked at. */
export interface Subject {
  readonly rules: RuleSet
  readonly setting: Setting
  /** What is worked out once for everything that is looked for. */
  readonly inquiry: Inquiry
  readonly groupOf: (id: string) => ProductGroup
  readonly dead: DeadGroups
  /** The ids of the groups that never count. */
  readonly deadIds: ReadonlySet<string>
  /** The words of the catalogue. */
  readonly vocabulary: Vocabulary
}

/** A finding before its severity is known. */
export interface Draft {
  readonly rule: CheckRule
  readonly groupIds: ReadonlyArray<string>
  readonly collaboratorId?: string
  readonly products?: ReadonlyArray<string>
  readonly values?: ReadonlyArray<string>
  readonly message: string
  readonly witness?: Witness
}

/** What an inspection has to say. */
export interface Report {
  readonly drafts: ReadonlyArray<Draft>
  /** What is proved, if anything is. */
  readonly proved?: string
}
