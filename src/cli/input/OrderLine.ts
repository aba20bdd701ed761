import * as instant from "../../internal/instant.js"
import { isSeconds } from "../../internal/seconds.js"
import * as Currency from "../../money/Currency.js"
import * as WireOrder from "../../wire/Order.js"
import {
  closeBracket,
  comma,
  FieldNames,
  firstBeyondAscii,
  ignored,
  JsonBytes,
  minus,
  openBracket,
  quote,
  space,
  Text,
  unusual,
} from "./JsonBytes.js"
import { absent, type OrderColumns, Spans } from "./OrderColumns.js"
import { refundedStatuses } from "./Refunds.js"

// Reads the order of a line of NDJSON from its bytes into columns, without objects. It is for the many orders about which
// nothing is unusual; of any other it says so, and these are parsed and read as `wire/Order` reads them. So this has to
// understand little, but what it takes it must read as `JSON.parse` and `wire/Order` do, and nothing that these refuse:
// the id of an order that was refused is still free for a later one.

/** So many digits of a rate are surely a number. */
const mostDigits = 15
const mostItems = 64

/** Fields that are read. Those of one kind of object differ in their last five bits. */
const fields = {
  order: {
    ...{ id: 1, currency: 2, created_at: 3, tags: 4, customer: 5, discount_codes: 6 },
    ...{ billing_country: 7, referer: 8, taxes_included: 9, shipping_amount: 10 },
    ...{ shipping_tax: 11, gateway_fee: 12, items: 13, status: 14 },
  },
  customer: { tags: 33 },
  item: {
    ...{ external_id: 65, id: 66, amount: 67, discount: 68, quantity: 69, tax_total: 70 },
    ...{ product: 71, grams: 72, tax_percent: 73, tax_name: 74 },
  },
  product: {
    ...{ id: 97, external_id: 98, vendor: 99, cost: 100, tags: 101, name: 102, sku: 103 },
    ...{ external_variant_id: 104, price: 105, inventory_quantity: 106, other_ids: 107 },
  },
} as const

/** Fields of which the other reader reads only texts for display, or nothing. */
const ofNoEffect = {
  order: {
    ...{ payment_gateway: ignored, shipping_address: ignored, billing_address: ignored },
    ...{ name: ignored },
    // A host may wrap an order in it.
    ...{ order: unusual },
  },
  customer: { email: ignored, name: ignored },
  item: { split_at: ignored, refunded_at: ignored },
}

/** Reads orders one after another, and writes them into columns. */
export class OrderLine extends JsonBytes {
  private readonly names = {
    order: new FieldNames({ ...fields.order, ...ofNoEffect.order }, WireOrder.fields),
    customer: new FieldNames(
      { ...fields.customer, ...ofNoEffect.customer },
      WireOrder.customerFields,
    ),
    item: new FieldNames({ ...fields.item, ...ofNoEffect.item }, WireOrder.itemFields),
    product: new FieldNames(fields.product, WireOrder.productFields),
  }

  // The order.
  private readonly id = new Text()
  private readonly currency = new Text()
  private readonly country = new Text()
  private createdAt = Number.NaN
  private taxesIncluded = 0
  private shippingAmount = 0
  private shippingTax = 0
  private gatewayFee = 0
  private readonly tags = new Spans()
  private readonly customerTags = new Spans()
  private readonly discountCodes = new Spans()
  private readonly referers = new Spans()
  private readonly items = Array.from({ length: mostItems }, () => new Item())
  private item = this.items[0] ?? new Item()
  itemCount = 0
  private readonly productTags = new Spans()

  /** Reads the line from a byte to another; false where anything about it is unusual. */
  read(from: number, to: number): boolean {
    this.clear()
    const end = this.object(from, this.names.order)
    if (end === unusual || this.blank(end) !== to || this.itemCount === 0) return false
    if (!this.isAscii(this.id) || !this.isCurrency()) return false
    for (let place = 0; place < this.itemCount; place += 1) {
      if (!this.isWhole(this.items[place]) || this.isRepeated(place)) return false
    }
    return true
  }

  /** The id of the order. */
  get orderId(): string {
    return this.text.slice(this.id.from, this.id.to)
  }

  /** Adds the rows of the order. */
  addTo(columns: OrderColumns): void {
    const { bytes, itemCount, id, currency, country } = this
    for (let place = 0; place < itemCount; place += 1) {
      columns.orderId.add(bytes, id.from, id.to)
      columns.currency.add(bytes, currency.from, currency.to)
      columns.createdAt.add(this.createdAt)
      columns.tags.add(bytes, this.tags, 0, this.tags.count)
      columns.customerTags.add(bytes, this.customerTags, 0, this.customerTags.count)
      columns.discountCodes.add(bytes, this.discountCodes, 0, this.discountCodes.count)
      columns.billingCountry.add(bytes, country.from, country.to)
      columns.referers.add(bytes, this.referers, 0, this.referers.count)
      columns.taxesIncluded.add(this.taxesIncluded)
      columns.shippingAmount.add(this.shippingAmount)
      columns.shippingTax.add(this.shippingTax)
      columns.gatewayFee.add(this.gatewayFee)
      this.addItem(columns, this.items[place] ?? this.item)
    }
  }

  private addItem(columns: OrderColumns, item: Item): void {
    const { bytes } = this
    const productId = item.productId.from === absent ? item.externalId : item.productId
    columns.itemId.add(bytes, item.id.from, item.id.to)
    columns.quantity.add(item.quantity)
    columns.amount.add(item.amount)
    columns.discount.add(item.discount)
    columns.taxTotal.add(item.taxTotal)
    columns.productId.add(bytes, productId.from, productId.to)
    columns.externalId.add(bytes, item.externalId.from, item.externalId.to)
    columns.vendor.add(bytes, item.vendor.from, item.vendor.to)
    columns.productTags.add(bytes, this.productTags, item.firstTag, item.lastTag)
    columns.cost.add(item.cost)
  }

  private clear(): void {
    this.id.clear()
    this.currency.clear()
    this.country.clear()
    this.createdAt = Number.NaN
    this.taxesIncluded = 0
    this.shippingAmount = 0
    this.shippingTax = 0
    this.gatewayFee = 0
    this.tags.clear()
    this.customerTags.clear()
    this.discountCodes.clear()
    this.referers.clear()
    this.productTags.clear()
    this.itemCount = 0
  }

  private isWhole(item: Item | undefined): boolean {
    if (item === undefined || !this.isAscii(item.id) || Number.isNaN(item.amount)) return false
    return item.productId.from !== absent || item.externalId.from !== absent
  }

  /** Whether the currency is known, and written in capital letters. */
  private isCurrency(): boolean {
    const { from, to } = this.currency
    return from !== absent && Currency.isCurrency(this.text.slice(from, to))
  }

  /** Whether another item before a place has the same id. An order with such items is refused. */
  private isRepeated(place: number): boolean {
    const id = this.items[place]?.id ?? this.item.id
    for (let other = 0; other < place; other += 1) {
      if (this.areSame(this.items[other]?.id ?? id, id)) return true
    }
    return false
  }

  protected override value(at: number, field: number): number {
    switch (field) {
      case fields.order.id:
        return this.idInto(at, this.id)
      case fields.order.currency:
        return this.stringInto(at, this.currency)
      case fields.order.created_at:
        return this.time(at)
      case fields.order.tags:
        return this.strings(at, this.tags)
      case fields.order.customer:
        return this.object(at, this.names.customer)
      case fields.order.discount_codes:
        return this.strings(at, this.discountCodes)
      case fields.order.billing_country:
        return this.stringInto(at, this.country)
      case fields.order.referer:
        return this.referer(at)
      case fields.order.taxes_included:
        return this.flag(at)
      case fields.order.shipping_amount:
      case fields.order.shipping_tax:
      case fields.order.gateway_fee:
        return this.amountOfOrder(at, field)
      case fields.order.items:
        return this.itemList(at)
      case fields.order.status:
        return this.status(at)
      case fields.customer.tags:
        return this.strings(at, this.customerTags)
      default:
        return this.valueOfItem(at, field)
    }
  }

  private valueOfItem(at: number, field: number): number {
    const { item } = this
    switch (field) {
      case fields.item.external_id:
      case fields.item.id:
        return item.id.from === absent ? this.idInto(at, item.id) : unusual
      case fields.item.amount:
      case fields.item.discount:
      case fields.item.quantity:
      case fields.item.tax_total:
      case fields.product.cost:
        return this.amountOfItem(at, field)
      case fields.item.product:
        return this.object(at, this.names.product)
      case fields.item.tax_percent:
        return this.rate(at)
      case fields.item.tax_name:
      case fields.product.name:
        return this.byte(at) === quote ? this.anyString(at) : unusual
      case fields.item.grams:
      case fields.product.price:
      case fields.product.inventory_quantity:
        return this.whole(at)
      case fields.product.id:
        return this.idInto(at, item.productId)
      case fields.product.external_id:
        return this.idInto(at, item.externalId)
      case fields.product.vendor:
        return this.stringInto(at, item.vendor)
      case fields.product.tags:
        return this.tagsOf(at, item)
      case fields.product.sku:
      case fields.product.external_variant_id:
        return this.byte(at) === quote ? this.anyString(at) : this.wholeId(at)
      default:
        return unusual
    }
  }

  private amountOfOrder(at: number, field: number): number {
    const end = this.whole(at)
    if (field === fields.order.shipping_amount) this.shippingAmount = this.number
    else if (field === fields.order.shipping_tax) this.shippingTax = this.number
    else this.gatewayFee = this.number
    return end
  }

  private amountOfItem(at: number, field: number): number {
    const end = this.whole(at)
    const { item, number } = this
    if (field === fields.item.amount) item.amount = number
    else if (field === fields.item.discount) item.discount = number
    else if (field === fields.item.quantity) item.quantity = number
    else if (field === fields.item.tax_total) item.taxTotal = number
    else item.cost = number
    return end
  }

  private itemList(from: number): number {
    if (this.byte(from) !== openBracket) return unusual
    let at = this.blank(from + 1)
    while (this.itemCount < mostItems) {
      const item = this.items[this.itemCount]
      if (item === undefined) return unusual
      this.item = item
      item.clear()
      at = this.object(at, this.names.item)
      if (at === unusual || item.quantity < 0) return unusual
      this.itemCount += 1
      at = this.blank(at)
      const next = this.byte(at)
      if (next === closeBracket) return at + 1
      if (next !== comma) return unusual
      at = this.blank(at + 1)
    }
    return unusual
  }

  private tagsOf(at: number, item: Item): number {
    item.firstTag = this.productTags.count
    const end = this.strings(at, this.productTags)
    item.lastTag = this.productTags.count
    return end
  }

  private referer(at: number): number {
    if (this.byte(at) === openBracket) {
      const end = this.strings(at, this.referers)
      for (let span = 0; span < this.referers.count; span += 1) {
        if (this.isBlankAt(this.referers.places[span * 2] ?? 0)) return unusual
      }
      return end
    }
    const end = this.string(at)
    if (end === unusual || this.isBlankAt(this.from)) return unusual
    this.referers.add(this.from, this.to)
    return end
  }

  /** Whether a text that begins at a place may have nothing but blanks, which don't count. */
  private isBlankAt(at: number): boolean {
    const first = this.byte(at)
    return first <= space || first === quote || first >= firstBeyondAscii
  }

  private status(at: number): number {
    if (this.byte(at) !== quote) return this.skip(at, 0)
    const end = this.string(at)
    if (end === unusual || refundedStatuses.has(this.text.slice(this.from, this.to))) return unusual
    return end
  }

  private time(at: number): number {
    const isNumber = this.byte(at) !== quote
    const end = isNumber ? this.whole(at) : this.string(at)
    if (end === unusual) return unusual
    if (isNumber) {
      this.createdAt = this.number
      return isSeconds(this.number) ? end : unusual
    }
    const seconds = instant.parse(this.text.slice(this.from, this.to))
    if (seconds === undefined) return unusual
    this.createdAt = seconds
    return end
  }

  private flag(at: number): number {
    const isTrue = this.text.startsWith("true", at)
    if (!isTrue && !this.text.startsWith("false", at)) return unusual
    this.taxesIncluded = isTrue ? 1 : 0
    return at + (isTrue ? 4 : 5)
  }

  /** A rate of tax, which has no effect but must be a number. */
  private rate(from: number): number {
    const end = this.skipNumber(from)
    if (end === unusual || end - from > mostDigits) return unusual
    // Powers of ten may be beyond all numbers.
    return Number.isFinite(Number(this.text.slice(from, end))) ? end : unusual
  }

  /** An id: a text, or a number that is written as one. */
  private idInto(at: number, text: Text): number {
    if (this.byte(at) === quote) return this.stringInto(at, text)
    const end = this.wholeId(at)
    text.from = at
    text.to = end
    return end
  }

  private wholeId(at: number): number {
    return this.byte(at) === minus ? unusual : this.whole(at)
  }
}

class Item {
  readonly id = new Text()
  readonly productId = new Text()
  readonly externalId = new Text()
  readonly vendor = new Text()
  amount = Number.NaN
  discount = 0
  quantity = 1
  taxTotal = 0
  cost = 0
  firstTag = 0
  lastTag = 0

  clear(): void {
    this.id.clear()
    this.productId.clear()
    this.externalId.clear()
    this.vendor.clear()
    this.amount = Number.NaN
    this.discount = 0
    this.quantity = 1
    this.taxTotal = 0
    this.cost = 0
    this.firstTag = 0
    this.lastTag = 0
  }
}
