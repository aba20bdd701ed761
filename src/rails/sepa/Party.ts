/**
 * The payer or receiver of a SEPA payment: name, account and address.
 *
 * @since 0.6.0
 */

/**
 * A postal address with its parts in separate fields (structured), or with up to two lines beside town and country
 * (hybrid). SEPA no longer accepts an address of lines only.
 *
 * @since 0.6.0
 * @category models
 */
export interface PostalAddress {
  readonly street?: string | undefined
  readonly building?: string | undefined
  readonly postCode?: string | undefined
  readonly town: string
  readonly region?: string | undefined
  /** Two capitals of ISO 3166, as DE. */
  readonly country: string
  /** Parts without a separate field, in at most two lines. */
  readonly lines?: ReadonlyArray<string> | undefined
}

/**
 * A person or company with their account.
 *
 * @since 0.6.0
 * @category models
 */
export interface Party {
  /** As the bank knows the holder of the account. */
  readonly name: string
  /** With or without blanks. */
  readonly iban: string
  /** The code of the bank; with an IBAN it is rarely needed. */
  readonly bic?: string | undefined
  readonly address?: PostalAddress | undefined
}
