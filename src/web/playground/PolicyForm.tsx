/** How sales are split, as a form. */
import type { JSX } from "preact"
import { SelectField } from "../parts/Field.js"
import { isFields, readPolicy } from "./Scenario.js"
import * as State from "./State.js"

/** Each option by its name in a policy file, what it is called here, and its values; the first one is the default. */
const options = [
  [
    "discount",
    "Discounts",
    [
      ["deduct", "lower the base"],
      ["ignore", "don't matter"],
    ],
  ],
  [
    "tax",
    "Tax",
    [
      ["remove", "is taken out"],
      ["keep", "is shared like the price"],
      ["share", "is shared on top"],
    ],
  ],
  [
    "cost",
    "Costs of products",
    [
      ["ignore", "don't matter"],
      ["deduct", "lower the base"],
    ],
  ],
  [
    "gateway_fee",
    "Payment fees",
    [
      ["ignore", "don't matter"],
      ["deduct", "lower the base"],
    ],
  ],
  [
    "flat_scope",
    "Flat amounts are for",
    [
      ["unit", "each unit"],
      ["item", "each item"],
      ["order", "the order, once"],
    ],
  ],
  [
    "shipping",
    "Shipping",
    [
      ["store", "stays with the store"],
      ["share", "is shared"],
      ["charge", "is charged"],
      ["all", "goes to collaborators"],
    ],
  ],
  [
    "stacking",
    "Groups of one collaborator",
    [
      ["most-specific", "the most specific counts"],
      ["all", "all count"],
    ],
  ],
  [
    "rounding",
    "Odd cents go to",
    [
      ["largest-remainder", "the largest remainders"],
      ["floor", "the store"],
    ],
  ],
  [
    "over_allocation",
    "Claims beyond 100 %",
    [
      ["reject", "refuse the order"],
      ["scale", "are scaled down"],
      ["rank", "are paid by rank"],
      ["allow", "are paid by the store"],
    ],
  ],
] as const satisfies ReadonlyArray<
  readonly [string, string, ReadonlyArray<readonly [string, string]>]
>

/** The policy. */
export const PolicyForm = (): JSX.Element => {
  const given = isFields(State.policy.value) ? State.policy.value : {}
  const { problems } = readPolicy(given)
  return (
    <details class="sheet" data-form="policy">
      <summary>How sales are split (policy)</summary>
      <div class="pair">
        {options.map(([name, label, choices]) => {
          const values: ReadonlyArray<readonly [string, string]> = choices
          return (
            <SelectField
              key={name}
              label={label}
              value={String(given[name] ?? choices[0][0])}
              choices={values}
              problem={problems.find(({ path }) => path === name)?.message}
              onValue={(value) => {
                State.policy.value = { ...given, [name]: value }
              }}
            />
          )
        })}
      </div>
    </details>
  )
}
