/**
 * Splits as laws look at them: as results, and free of the order in which their parts are listed.
 */
import { RuleSet, Split } from "apportion"
import { Laws } from "apportion/testing"
import * as Result from "effect/Result"
import { essenceOf } from "../../src/testing/laws/reasons.js"
import type { Sale } from "../generators/Sales.js"

/** Splits a sale, or says why it can't be. */
export const split = (sale: Sale): Result.Result<Split.Split, Split.SplitError> =>
  Split.orderResult(RuleSet.make(sale.groups), sale.order, sale.policy)

/** The split of a sale that must be possible under its policy. */
export const splitOf = (sale: Sale): Split.Split => Result.getOrThrow(split(sale))

/** The sale as laws look at it. */
export const lawSaleOf = ({ groups, order, policy }: Sale): Laws.JudgedSale =>
  Laws.saleOf(RuleSet.make(groups), order, policy)

/** What must be the same for two answers to be the same: every figure, but not the order of the lists. */
export const essence = essenceOf
