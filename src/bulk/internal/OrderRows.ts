import type { Order } from "../../orders/Order.js"
import { type ColumnBatch, UnusableColumn } from "../ColumnBatch.js"
import { NumberColumn, TextColumn, TextListColumn } from "./Columns.js"
import type { WordNumbers } from "./KeyNumbers.js"

/** One row as an object, in which everything absent is left out. */
export interface RowObject {
  readonly order: Omit<Order, "items">
  readonly item: Order["items"][number]
}

/** The columns of a batch of rows, one row for each item; the rows of an order follow one another. */
export class OrderRows {
  count = 0
  /** The lists some of whose entries may have no text. */
  private loose: ReadonlyArray<TextListColumn> = []
  readonly orderIds: TextColumn
  readonly itemIds: TextColumn
  readonly currencies: TextColumn
  readonly countries: TextColumn
  readonly productIds: TextColumn
  readonly externalIds: TextColumn
  readonly vendors: TextColumn
  readonly otherIds: TextListColumn
  readonly productTags: TextListColumn
  readonly tags: TextListColumn
  readonly customerTags: TextListColumn
  readonly discountCodes: TextListColumn
  readonly referers: TextListColumn
  readonly createdAt = new NumberColumn(Number.NaN)
  readonly taxesIncluded = new NumberColumn(0)
  readonly shippingAmount = new NumberColumn(0)
  readonly shippingTax = new NumberColumn(0)
  readonly gatewayFee = new NumberColumn(0)
  readonly quantity = new NumberColumn(1)
  readonly amount = new NumberColumn(Number.NaN)
  readonly discount = new NumberColumn(0)
  readonly taxTotal = new NumberColumn(0)
  readonly cost = new NumberColumn(0)
  private readonly texts: ReadonlyArray<readonly [string, TextColumn | TextListColumn]>
  private readonly numbers: ReadonlyArray<readonly [string, NumberColumn]>

  constructor(words: WordNumbers) {
    const texts = () => new TextColumn(words)
    const lists = () => new TextListColumn(words)
    this.orderIds = texts()
    this.itemIds = texts()
    this.currencies = texts()
    this.countries = texts()
    this.productIds = texts()
    this.externalIds = texts()
    this.vendors = texts()
    this.otherIds = lists()
    this.productTags = lists()
    this.tags = lists()
    this.customerTags = lists()
    this.discountCodes = lists()
    this.referers = lists()
    this.texts = [
      ["order_id", this.orderIds],
      ["currency", this.currencies],
      ["item_id", this.itemIds],
      ["product_id", this.productIds],
      ["product_external_id", this.externalIds],
      ["product_vendor", this.vendors],
      ["product_other_ids", this.otherIds],
      ["product_tags", this.productTags],
      ["tags", this.tags],
      ["customer_tags", this.customerTags],
      ["discount_codes", this.discountCodes],
      ["billing_country", this.countries],
      ["referer", this.referers],
    ]
    this.numbers = [
      ["created_at", this.createdAt],
      ["taxes_included", this.taxesIncluded],
      ["shipping_amount", this.shippingAmount],
      ["shipping_tax", this.shippingTax],
      ["gateway_fee", this.gatewayFee],
      ["quantity", this.quantity],
      ["amount", this.amount],
      ["discount", this.discount],
      ["tax_total", this.taxTotal],
      ["product_cost", this.cost],
    ]
  }

  read({ numRows, schema, data }: ColumnBatch): void {
    const columns = new Map(schema.fields.map(({ name }, place) => [name, data.children[place]]))
    for (const needed of ["order_id", "currency", "item_id", "product_id", "amount"]) {
      if (columns.has(needed)) continue
      throw new UnusableColumn({ column: needed, message: `the column ${needed} is missing` })
    }
    for (const [name, column] of this.texts) column.read(name, columns.get(name))
    for (const [name, column] of this.numbers) column.read(name, columns.get(name), numRows)
    this.count = numRows
    this.loose = this.texts.flatMap(([, column]) =>
      column instanceof TextListColumn && !column.isWhole ? [column] : [],
    )
  }

  /** Whether each entry of each list of a row is a text. */
  hasWholeLists(row: number): boolean {
    return this.loose.every((lists) => !lists.list(row).includes(null))
  }

  /** The row behind the last one of the order that begins at a row. */
  endOf(first: number): number {
    const { orderIds, count } = this
    let row = first + 1
    while (row < count && orderIds.areSame(first, row)) row += 1
    return row
  }

  /** Whether two rows say the same of their order. */
  areOfOneOrder(one: number, other: number): boolean {
    return (
      this.createdAt.areSame(one, other) &&
      this.taxesIncluded.areSame(one, other) &&
      this.shippingAmount.areSame(one, other) &&
      this.shippingTax.areSame(one, other) &&
      this.gatewayFee.areSame(one, other) &&
      this.currencies.areSame(one, other) &&
      this.countries.areSame(one, other) &&
      this.tags.areSame(one, other) &&
      this.customerTags.areSame(one, other) &&
      this.discountCodes.areSame(one, other) &&
      this.referers.areSame(one, other)
    )
  }

  /**
   * A row as an object. It may not be what its type says: texts and numbers that the row lacks are `null` there, for the
   * check of the order to tell.
   */
  rowAt(row: number): RowObject {
    const createdAt = this.createdAt.at(row)
    const texts = {
      id: this.orderIds.text(row),
      currency: this.currencies.text(row),
      createdAt: Number.isNaN(createdAt) ? null : createdAt,
      tags: this.tags.list(row),
      customerTags: this.customerTags.list(row),
      discountCodes: this.discountCodes.list(row),
      billingCountry: this.countries.text(row),
      referers: this.referers.list(row),
      taxesIncluded: this.taxesIncluded.at(row) === 1,
      shippingAmount: this.shippingAmount.at(row),
      shippingTax: this.shippingTax.at(row),
      gatewayFee: this.gatewayFee.at(row),
    }
    const item = {
      id: this.itemIds.text(row),
      quantity: this.quantity.at(row),
      amount: this.amount.at(row),
      discount: this.discount.at(row),
      taxTotal: this.taxTotal.at(row),
      product: {
        id: this.productIds.text(row),
        externalId: this.externalIds.text(row) ?? undefined,
        otherIds: this.otherIds.list(row),
        vendor: this.vendors.text(row) ?? undefined,
        tags: this.productTags.list(row),
        cost: this.cost.at(row),
      },
    }
    return { order: texts, item } as unknown as RowObject
  }
}
