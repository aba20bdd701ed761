/** What Stripe has in common wherever it is used: how its webhooks are signed, and how it counts money. */

/** The header `Stripe-Signature`: when it was signed, and the signatures in hexadecimal. */
export interface SignatureHeader {
  /** Unix seconds, exactly as they are signed. */
  readonly at: string
  readonly signatures: ReadonlyArray<string>
}

/** Reads the header; `undefined` when it has no time or no signature of the version that is checked. */
export const readSignatureHeader = (header: string): SignatureHeader | undefined => {
  const parts = header.split(",").map((part) => part.trim().split("="))
  const at = parts.find(([name]) => name === "t")?.[1]
  const signatures = parts.flatMap(([name, value = ""]) =>
    name === "v1" && /^[0-9a-f]{64}$/.test(value) ? [value] : [],
  )
  const isTime = at !== undefined && /^\d{1,12}$/.test(at)
  return isTime && signatures.length > 0 ? { at, signatures } : undefined
}

/** What is signed. */
export const signedContent = ({ at }: SignatureHeader, body: string): string => `${at}.${body}`

/** The digits with which Stripe writes amounts of these currencies, which ISO 4217 counts otherwise. */
export const oddDigits = { ISK: 2, UGX: 2, MGA: 0 } as const
