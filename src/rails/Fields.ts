/**
 * The limits of each field of each rail: lengths, characters and amounts. One table for all rails, and one function
 * that fits a value to a field or returns the problem.
 *
 * @since 0.6.0
 */
import * as Result from "effect/Result"
import { show } from "../internal/problems.js"
import { oddDigits } from "../internal/stripe.js"
import type { Problem } from "../Problem.js"
import type { Instruction } from "./Instruction.js"
import { inLatin } from "./internal/latin.js"

/**
 * The characters that a field allows.
 *
 * @since 0.6.0
 * @category models
 */
export interface CharacterSet {
  /** In words, for messages. */
  readonly name: string
  /** Matches a text of one character that belongs to the set. */
  readonly has: RegExp
}

/**
 * The limits of a text in one field of a rail.
 *
 * @since 0.6.0
 * @category models
 */
export interface TextField {
  /** The path of the value in a transfer or a batch, as `recipient.name`. */
  readonly path: string
  /** The fewest characters: 1 for a field that must not be empty. */
  readonly least: number
  /** The most characters, each of them a Unicode code point. */
  readonly most: number
  readonly characters: CharacterSet
  /**
   * How a text may be changed to fit. `exact`: not at all, for keys and numbers of accounts. `trimmed`: blanks at its
   * ends are removed. `latin`: other letters are also replaced by plain Latin ones, where the rail's standard allows
   * that.
   */
  readonly spelling: "exact" | "trimmed" | "latin"
  /** Whether a text that is too long is refused, or cut where the rail's standard allows it for names. */
  readonly tooLong: "refuse" | "cut"
  /** Patterns that the text must not match, although its characters are allowed, each with its message. */
  readonly never: ReadonlyArray<{ readonly pattern: RegExp; readonly message: string }>
}

/**
 * Which amounts of a currency a rail pays, in the currency's lowest unit.
 *
 * @since 0.6.0
 * @category models
 */
export interface AmountLimits {
  readonly least: number
  readonly most: number
  /** Amounts must be multiples of this: 1, or 100 where the rail pays no fractions of the unit. */
  readonly step: number
  /** The number of decimals that the rail writes, where it differs from ISO 4217. */
  readonly digits?: number
}

/**
 * Which amounts a rail pays, by currency.
 *
 * @since 0.6.0
 * @category models
 */
export interface AmountField {
  readonly currencies: Readonly<Record<string, AmountLimits>>
}

/** Combining marks that form no single character with their letter, as a second mark on a letter. */
const strayMarks = /(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{M}+/gu

const respelled = (value: string, { spelling }: TextField): string => {
  if (spelling === "exact") return value
  const text = value.normalize("NFC").trim()
  return spelling === "latin" ? text.replace(strayMarks, "") : text
}

const codePoint = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`

const spelled = (character: string, { characters, spelling }: TextField): string | undefined => {
  if (characters.has.test(character)) return character
  const letters = spelling === "latin" ? inLatin(character) : undefined
  const fits = letters !== undefined && [...letters].every((letter) => characters.has.test(letter))
  return fits ? letters : undefined
}

const tooLongMessage = (length: number, { most, spelling }: TextField): string => {
  const as = spelling === "latin" ? " as it is written here" : ""
  return `must have at most ${most} characters, has ${length}${as}`
}

/** Longer texts are refused unread: no name is that long, and each character takes time. */
const longestText = 10_000

const lengthProblem = (length: number, field: TextField): string | undefined => {
  if (length > field.most) return tooLongMessage(length, field)
  if (length >= field.least) return undefined
  if (length === 0) return "must not be empty"
  return `must have at least ${field.least} characters, has ${length}`
}

/**
 * Fits a text to a field, or fails with the problem, whose path is the field's. No character is dropped: a character
 * that the field does not allow, and that has no common replacement, is a problem.
 *
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { Fields } from "apportion/rails/sepa"
 * import * as Result from "effect/Result"
 *
 * Result.getOrThrow(Fields.fit(" Zoë Müßig & Søn ", Fields.sepa.name)) // => "Zoe Mussig + Son"
 *
 * const refused = Fields.fit("Ada 🎉", Fields.sepa.name)
 * Result.isFailure(refused) && refused.failure.path // => "recipient.name"
 * ```
 */
export const fit = (value: unknown, field: TextField): Result.Result<string, Problem> => {
  const refuse = (message: string) =>
    Result.fail({ path: field.path, value, message: `${message}: ${show(value)}` })
  if (typeof value !== "string")
    return Result.fail({ path: field.path, value, message: `must be a text, got ${show(value)}` })
  if (value.length > longestText) return refuse(tooLongMessage(value.length, field))
  const text = respelled(value, field)
  const letters: Array<string> = []
  for (const character of text) {
    const written = spelled(character, field)
    if (written === undefined) {
      return refuse(`must be in ${field.characters.name}, which ${codePoint(character)} is not`)
    }
    letters.push(...written)
  }
  const kept = field.tooLong === "cut" ? letters.slice(0, field.most) : letters
  const length = lengthProblem(kept.length, field)
  if (length !== undefined) return refuse(length)
  const fitting = field.tooLong === "cut" ? kept.join("").trimEnd() : kept.join("")
  const never = field.never.find(({ pattern }) => pattern.test(fitting))
  return never === undefined ? Result.succeed(fitting) : refuse(never.message)
}

const listed = (field: AmountField): string => Object.keys(field.currencies).join(", ")

/**
 * The amount of an instruction, in the currency's lowest unit, if the rail pays it; otherwise the problem, whose path
 * is `amount` or `currency`. An amount is never rounded to fit.
 *
 * @since 0.6.0
 * @category operations
 * @example
 * ```ts
 * import { Fields } from "apportion/rails/sepa"
 * import * as Result from "effect/Result"
 *
 * Result.getOrThrow(Fields.fitAmount({ amount: 1999, currency: "EUR" }, Fields.sepa.amount)) // => 1999
 *
 * const refused = Fields.fitAmount({ amount: 1999, currency: "USD" }, Fields.sepa.amount)
 * Result.isFailure(refused) && refused.failure.message // => 'must be EUR, got "USD"'
 * ```
 */
export const fitAmount = (
  { amount, currency }: Pick<Instruction, "amount" | "currency">,
  field: AmountField,
): Result.Result<number, Problem> => {
  const limits = Object.hasOwn(field.currencies, currency) ? field.currencies[currency] : undefined
  const several = Object.keys(field.currencies).length > 1 ? "one of " : ""
  if (limits === undefined) {
    const message = `must be ${several}${listed(field)}, got ${show(currency)}`
    return Result.fail({ path: "currency", value: currency, message })
  }
  const { least, most, step } = limits
  const isPaid =
    Number.isSafeInteger(amount) && amount >= least && amount <= most && amount % step === 0
  if (isPaid) return Result.succeed(amount)
  const steps = step === 1 ? "" : `, a multiple of ${step}`
  const message = `must be a whole number in the lowest unit of ${currency}, ${least} to ${most}${steps}, got ${show(amount)}`
  return Result.fail({ path: "amount", value: amount, message })
}

const text = (
  path: string,
  most: number,
  characters: CharacterSet,
  options: Partial<Omit<TextField, "path" | "most" | "characters">> = {},
): TextField => ({
  path,
  most,
  characters,
  least: options.least ?? 1,
  spelling: options.spelling ?? "latin",
  tooLong: options.tooLong ?? "refuse",
  never: options.never ?? [],
})

/**
 * The Latin characters that every SEPA bank accepts, as the European Payments Council lists them.
 *
 * @since 0.6.0
 * @category constants
 */
export const sepaCharacters: CharacterSet = {
  name: "the characters of SEPA (a-z A-Z 0-9 / - ? : ( ) . , ' + and blank)",
  has: /^[a-zA-Z0-9/\-?:().,'+ ]$/,
}

/**
 * The characters of an ACH file: visible ASCII, and the blank.
 *
 * @since 0.6.0
 * @category constants
 */
export const nachaCharacters: CharacterSet = {
  name: "the characters of an ACH file (ASCII that can be seen, and blank)",
  has: /^[ -~]$/,
}

const digits: CharacterSet = { name: "digits", has: /^[0-9]$/ }

const idRules = [
  {
    pattern: /^\/|\/$|\/\//,
    message: "must not begin or end with a slash, nor have two in a row",
  },
  {
    // Systems on the way may remove such blanks, and the id in answers would differ.
    pattern: /^ | $| {2}/,
    message: "must not begin or end with a blank, nor have two in a row",
  },
]

/**
 * The fields of a SEPA credit transfer, after the rulebook and the guidelines of the European Payments Council.
 *
 * @since 0.6.0
 * @category constants
 */
export const sepa = /* @__PURE__ */ (() => ({
  /** The end-to-end id, which is made from the key. */
  key: text("key", 35, sepaCharacters, { spelling: "exact", never: idRules }),
  /** The id of the file, and of the payments in it. */
  batchId: text("id", 35, sepaCharacters, { spelling: "exact", never: idRules }),
  name: text("recipient.name", 70, sepaCharacters),
  /** The text that the receiver reads. */
  reference: text("reference", 140, sepaCharacters),
  street: text("street", 70, sepaCharacters),
  building: text("building", 16, sepaCharacters),
  postCode: text("postCode", 16, sepaCharacters),
  town: text("town", 35, sepaCharacters),
  region: text("region", 35, sepaCharacters),
  /** One of at most two lines beside town and country. */
  line: text("line", 70, sepaCharacters),
  /** 0.01 to 999999999.99 euros. */
  amount: { currencies: { EUR: { least: 1, most: 99_999_999_999, step: 1 } } },
}))()

const accountCharacters: CharacterSet = {
  name: "digits, letters and hyphens",
  has: /^[0-9A-Za-z-]$/,
}

/** The asterisk and the backslash separate what stands in an addenda record. */
const separators = [
  { pattern: /[*\\~]/, message: "must not have an asterisk, a backslash or a tilde" },
]

/**
 * The fields of an ACH file, after the operating rules of Nacha.
 *
 * @since 0.6.0
 * @category constants
 */
export const nacha = /* @__PURE__ */ (() => ({
  /** No record has place for a key: an entry carries the end of it. */
  key: text("key", 255, nachaCharacters, { spelling: "exact" }),
  /** The number of the recipient's account. */
  account: text("recipient.account", 17, accountCharacters, { spelling: "exact" }),
  /** Receivers are found by their account; the standard has their names cut. */
  name: text("recipient.name", 22, nachaCharacters, { tooLong: "cut" }),
  /** What the receiver reads, in an addenda record. */
  reference: text("reference", 71, nachaCharacters, { never: separators }),
  companyName: text("company.name", 16, nachaCharacters),
  companyId: text("company.id", 10, nachaCharacters, { spelling: "exact", least: 10 }),
  /** What the receiver reads beside the company's name: ROYALTIES. */
  description: text("company.description", 10, nachaCharacters),
  bankName: text("bank.name", 23, nachaCharacters),
  originName: text("origin.name", 23, nachaCharacters),
  originId: text("origin.id", 10, digits, { spelling: "exact", least: 9 }),
  /** 0.01 to 99999999.99 dollars. */
  amount: { currencies: { USD: { least: 1, most: 9_999_999_999, step: 1 } } },
}))()

/**
 * The characters of a text that people read: any that can be seen, and blanks; no control characters, no new lines,
 * none that turn the direction of what stands beside them, no halves of characters.
 *
 * @since 0.6.0
 * @category constants
 */
export const visibleCharacters: CharacterSet = {
  name: "characters that can be seen, on one line",
  has: /^[^\p{Cc}\p{Cs}\p{Co}\p{Cn}\u061C\u200E\u200F\u2028\u2029\u202A-\u202E\u2066-\u2069\uFEFF]$/u,
}

/**
 * The characters of ids and addresses: those of ASCII that can be seen, without the blank.
 *
 * @since 0.6.0
 * @category constants
 */
export const idCharacters: CharacterSet = {
  name: "ASCII that can be seen, without blanks",
  has: /^[!-~]$/,
}

const lettersAndDigits: CharacterSet = { name: "letters and digits of ASCII", has: /^[A-Za-z0-9]$/ }

const phoneCharacters: CharacterSet = { name: "digits and hyphens", has: /^[0-9-]$/ }

const noTransfer = [
  { pattern: /^(?!tr_\w+$)/, message: "must be the id of a transfer, as tr_1A2b3C" },
]

const noAccount = [
  { pattern: /^(?!acct_\w+$)/, message: "must be the id of an account, as acct_1A2b3C" },
]

/** What a spreadsheet would run, were a CSV file opened in one before it is sent. */
const formulas = [
  {
    pattern: /^[=+\-@]/,
    message: "must not begin with = + - or @, which a spreadsheet takes for a formula",
  },
]

const address = [
  { pattern: /^(?![^@]+@[^@]+\.[^@.]+$)/, message: "must be an e-mail address" },
  ...formulas,
]

/** The same limits for several currencies. */
const limits = (
  currencies: string,
  most: number,
  { step = 1, digits }: { readonly step?: number; readonly digits?: number } = {},
): Readonly<Record<string, AmountLimits>> => {
  const own = digits === undefined ? {} : { digits }
  const one: AmountLimits = { least: step, most: most - (most % step), step, ...own }
  return Object.fromEntries(currencies.split(" ").map((code) => [code, one]))
}

/** 9,999,999.99: no amount of PayPal has more than seven digits before the point. */
const paypalMost = 999_999_999

const paypalAmount = /* @__PURE__ */ ((): AmountField => ({
  currencies: {
    ...limits("AUD BRL CAD CHF CZK DKK EUR GBP HKD ILS MXN MYR NOK NZD PHP", paypalMost),
    ...limits("PLN SEK SGD THB USD", paypalMost),
    ...limits("JPY", 9_999_999),
    // PayPal writes them without decimals, and refuses any.
    ...limits("HUF TWD", paypalMost, { step: 100, digits: 0 }),
  },
}))()

/**
 * The fields of PayPal's payouts: those of the API, and those of the file that is uploaded, which has fewer characters
 * for the key.
 *
 * @since 0.6.0
 * @category constants
 */
export const paypal = /* @__PURE__ */ (() => ({
  /** The `sender_item_id`, which a key becomes. */
  key: text("key", 63, idCharacters, { spelling: "exact" }),
  /** The `sender_batch_id`: PayPal makes no second payout under it for 30 days. */
  batchId: text("id", 256, idCharacters, { spelling: "exact" }),
  email: text("recipient.email", 127, idCharacters, { spelling: "exact", never: address }),
  payerId: text("recipient.payerId", 13, lettersAndDigits, { spelling: "exact", least: 13 }),
  phone: text("recipient.phone", 20, phoneCharacters, { spelling: "exact", least: 5 }),
  /** The text that the receiver reads. */
  reference: text("reference", 1000, visibleCharacters, { spelling: "trimmed" }),
  subject: text("subject", 255, visibleCharacters, { spelling: "trimmed" }),
  /** The customer id of the file, which a key becomes. */
  fileKey: text("key", 30, idCharacters, { spelling: "exact", never: formulas }),
  fileReference: text("reference", 1000, visibleCharacters, {
    spelling: "trimmed",
    never: formulas,
  }),
  amount: paypalAmount,
}))()

/** 12 digits, more than any amount that Stripe takes. */
const stripeMost = 999_999_999_999

/** The currencies that Stripe counts as ISO 4217 does, and pays to the lowest unit. */
const stripePlain =
  "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BIF BMD BND BOB BRL BSD BWP BYN BZD CAD " +
  "CDF CHF CLP CNY COP CRC CVE CZK DJF DKK DOP DZD EGP ETB EUR FJD FKP GBP GEL GIP GMD GNF GTQ GYD " +
  "HKD HNL HTG IDR ILS INR JMD JPY KES KGS KHR KMF KRW KYD KZT LAK LBP LKR LRD LSL MAD MDL MKD MMK " +
  "MNT MOP MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN PYG QAR RON RSD " +
  "RUB RWF SAR SBD SCR SEK SGD SHP SLE SOS SRD SZL THB TJS TOP TRY TTD TZS UAH USD UYU UZS VND VUV " +
  "WST XAF XCD XCG XOF XPF YER ZAR ZMW"

const stripeAmount = /* @__PURE__ */ ((): AmountField => ({
  currencies: {
    ...limits(stripePlain, stripeMost),
    // Without fractions, and written with two zeros all the same.
    ...limits("ISK UGX", stripeMost / 100, { digits: oddDigits.ISK }),
    // Written without decimals, which ISO 4217 has two of.
    ...limits("MGA", stripeMost, { step: 100, digits: oddDigits.MGA }),
    // Written with decimals, and paid to banks in whole units only.
    ...limits("HUF TWD", stripeMost, { step: 100 }),
    // The last of the three decimals is always a zero.
    ...limits("BHD JOD KWD OMR TND", stripeMost, { step: 10 }),
  },
}))()

/**
 * The fields of Stripe's transfers.
 *
 * @since 0.6.0
 * @category constants
 */
export const stripe = /* @__PURE__ */ (() => ({
  /** The idempotency key, the transfer group and the metadata, which a key becomes. */
  key: text("key", 255, idCharacters, { spelling: "exact" }),
  account: text("recipient.account", 255, idCharacters, { spelling: "exact", never: noAccount }),
  transferId: text("transferId", 255, idCharacters, { spelling: "exact", never: noTransfer }),
  /** The description, which stands beside the transfer. */
  reference: text("reference", 500, visibleCharacters, { spelling: "trimmed" }),
  collaboratorId: text("collaboratorId", 500, visibleCharacters, { spelling: "exact" }),
  amount: stripeAmount,
}))()

/** 12 digits, more than any transfer of Wise. */
const wiseMost = 999_999_999_999

/** How long a reference may be, which the payment systems of the receiver's country decide. */
const wiseReference = (most: number): TextField =>
  text("reference", most, visibleCharacters, { spelling: "trimmed", never: formulas })

/**
 * The fields of Wise's batch files. Which currencies a bank account can be paid in is said by the columns that they
 * have.
 *
 * @since 0.6.0
 * @category constants
 */
export const wise = /* @__PURE__ */ (() => ({
  /** As on the receiver's bank account. */
  name: text("recipient.name", 140, visibleCharacters, { spelling: "trimmed", never: formulas }),
  email: text("recipient.email", 127, idCharacters, { spelling: "exact", never: address }),
  recipientId: text("recipient.recipientId", 36, idCharacters, {
    spelling: "exact",
    never: formulas,
  }),
  /**
   * What the receiver reads: 140 characters through SEPA, 18 in the United Kingdom and Australia, 10 in the United
   * States.
   */
  references: {
    EUR: wiseReference(140),
    GBP: wiseReference(18),
    AUD: wiseReference(18),
    USD: wiseReference(10),
  },
  /** In every other currency. */
  reference: wiseReference(35),
  address: text("address", 255, visibleCharacters, { spelling: "trimmed", never: formulas }),
  amount: {
    currencies: {
      ...limits("AED AUD BRL CAD CHF CZK DKK EUR GBP HKD ILS INR MXN MYR NOK NZD PHP", wiseMost),
      ...limits("PKR PLN RON SEK SGD THB TRY UAH USD ZAR", wiseMost),
      ...limits("CLP JPY KRW", wiseMost),
      // Paid in whole units.
      ...limits("HUF", wiseMost, { step: 100 }),
    },
  },
}))()
