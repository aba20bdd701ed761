import { addProblems } from "../../../internal/problems.js"
import * as Fields from "../../Fields.js"
import { type Fitting, matching, take, takeText } from "../../internal/batchFields.js"
import * as Iban from "../Iban.js"
import type { Party, PostalAddress } from "../Party.js"
import { element, escapeText } from "./element.js"

const countryOf = (value: string) =>
  matching(value, /^[A-Z]{2}$/, "country", "two capitals of ISO 3166, as DE")

const bicOf = (value: string) =>
  matching(
    value,
    /^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/,
    "bic",
    "a BIC of 8 or 11 characters in capitals, as COBADEFF",
  )

const mostLines = 2

const addressOf = (fitting: Fitting, place: string, address: PostalAddress): string => {
  const text = (
    name: string,
    value: string | undefined,
    field: Fields.TextField,
    path = field.path,
  ) =>
    value === undefined
      ? ""
      : element(name, escapeText(takeText(fitting, place, value, field, path)))
  const { sepa } = Fields
  const lines = address.lines ?? []
  if (lines.length > mostLines) {
    const message = `must have at most ${mostLines} lines, has ${lines.length}`
    addProblems(fitting.problems, [{ path: `${place}.lines`, value: lines, message }])
  }
  return element(
    "PstlAdr",
    text("StrtNm", address.street, sepa.street),
    text("BldgNb", address.building, sepa.building),
    text("PstCd", address.postCode, sepa.postCode),
    text("TwnNm", address.town ?? "", sepa.town),
    text("CtrySubDvsn", address.region, sepa.region),
    element("Ctry", take(fitting, place, countryOf(address.country), "")),
    ...lines
      .slice(0, mostLines)
      .map((line, index) => text("AdrLine", line, sepa.line, `lines[${index}]`)),
  )
}

/** The XML elements of a party, which a file has in several places. */
export interface PartyElements {
  readonly name: string
  readonly address: string
  readonly account: string
  /** Empty when no BIC is given. */
  readonly bank: string
}

/** The XML elements of a party; problems are noted with the party's path. */
export const partyOf = (fitting: Fitting, place: string, party: Party): PartyElements => {
  const { name, iban, bic, address } = party
  return {
    name: element("Nm", escapeText(takeText(fitting, place, name, Fields.sepa.name, "name"))),
    address: address === undefined ? "" : addressOf(fitting, `${place}.address`, address),
    account: element("Id", element("IBAN", take(fitting, place, Iban.parse(iban), ""))),
    bank: bic === undefined ? "" : element("BICFI", take(fitting, place, bicOf(bic), "")),
  }
}
