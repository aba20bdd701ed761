/** A rail in the test's hands: it keeps what it was asked, and answers what it is told to. */
import { type FoundPayment, type PaymentRail, type RailAnswer, RailUnclear } from "apportion/ports"
import type { Instruction } from "apportion/rails/sepa"
import { Effect } from "effect"

export interface Bank {
  /** What it was asked to pay. */
  readonly sent: ReadonlyArray<Instruction>
  /** The keys that it was asked for. */
  readonly asked: ReadonlyArray<string>
  /** What it answers when it is asked to pay; "nothing": nobody knows. */
  answer: RailAnswer | "nothing"
  /** What it answers when it is asked for a payment. */
  found: FoundPayment | "nothing"
}

const say = <A extends FoundPayment>(key: string, said: A | "nothing") =>
  said === "nothing"
    ? Effect.fail(RailUnclear.of("bank", key, "the connection broke"))
    : Effect.succeed(said)

export const makeBank = () => {
  const sent: Array<Instruction> = []
  const asked: Array<string> = []
  const accepted: RailAnswer = { type: "accepted", reference: "T-1" }
  const bank: Bank = { sent, asked, answer: accepted, found: accepted }
  const rail: PaymentRail = {
    name: "bank",
    terms: {
      currencies: [
        { currency: "EUR", minimum: 100, step: 1 },
        { currency: "HUF", minimum: 100, step: 100 },
      ],
      ...{ mode: "single", lateSeconds: 600, knownSeconds: null },
    },
    send: (instruction) => {
      sent.push(instruction)
      return say(instruction.key, bank.answer)
    },
    find: (key) => {
      asked.push(key)
      return say(key, bank.found)
    },
  }
  /** It gets files, so it is never asked. */
  const files: PaymentRail = {
    name: "files",
    terms: { currencies: null, mode: "batch", lateSeconds: 600, knownSeconds: null },
    send: rail.send,
    find: rail.find,
  }
  return { bank, rails: [rail, files] }
}
