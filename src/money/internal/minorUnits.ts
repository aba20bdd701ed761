/**
 * ISO 4217 codes by their number of minor-unit digits. A test compares this table with the
 * `currency-codes` data set (ISO's own list) and fails when one of them moves on. Codes without a
 * minor unit in ISO 4217 (metals, bond units, testing) are no money here and stand in no row.
 */
const twoDigits =
  "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD " +
  "CAD CDF CHE CHF CHW CNY COP COU CRC CUC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL " +
  "GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD " +
  "LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN " +
  "PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB " +
  "TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG ZWL"

const otherDigits: ReadonlyArray<readonly [digits: number, codes: string]> = [
  [0, "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"],
  [3, "BHD IQD JOD KWD LYD OMR TND"],
  [4, "CLF UYW"],
]

export const minorUnits: ReadonlyMap<string, number> = /* @__PURE__ */ new Map(
  [[2, twoDigits] as const, ...otherDigits].flatMap(([digits, codes]) =>
    codes.split(" ").map((code) => [code, digits] as const),
  ),
)
