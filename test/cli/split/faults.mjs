/** Faults that random lines have to notice, each in one place of what reads orders from bytes and splits them. */
const line = "cli/input/OrderLine.ts"
const bytes = "cli/input/JsonBytes.ts"

export const faults = [
  {
    name: "two items may have one id",
    file: line,
    from: " || this.isRepeated(place)",
    to: "",
  },
  {
    name: "any currency is known",
    file: line,
    from: "Currency.isCurrency(this.text.slice(from, to))",
    to: "to - from === 3",
  },
  {
    name: "any number is a time",
    file: line,
    from: "return isSeconds(this.number) ? end : unusual",
    to: "return end",
  },
  {
    name: "more may stand behind an order",
    file: line,
    from: "this.blank(end) !== to",
    to: "this.blank(end) > to",
  },
  {
    name: "ids need not be of ASCII",
    file: line,
    from: "!this.isAscii(this.id) || ",
    to: "",
  },
  {
    name: "an amount may be missing",
    file: line,
    from: " || Number.isNaN(item.amount)",
    to: "",
  },
  {
    name: "the product of an earlier item stays",
    file: line,
    from: "    this.productId.clear()\n",
    to: "",
  },
  {
    name: "the discount of an earlier item stays",
    file: line,
    from: "    this.discount = 0\n    this.quantity = 1",
    to: "    this.quantity = 1",
  },
  {
    name: "the referers of an earlier order stay",
    file: line,
    from: "    this.referers.clear()\n",
    to: "",
  },
  {
    name: "the shipping of an earlier order stays",
    file: line,
    from: "    this.shippingAmount = 0\n    this.shippingTax",
    to: "    this.shippingTax",
  },
  {
    name: "of two ids of an item one is ignored",
    file: line,
    from: "item.id.from === absent ? this.idInto(at, item.id) : unusual",
    to: "this.idInto(at, item.id)",
  },
  {
    name: "a quantity may be negative",
    file: line,
    from: " || item.quantity < 0",
    to: "",
  },
  {
    name: "what was refunded is not told",
    file: line,
    from: "end === unusual || refundedStatuses",
    to: "end === unusual || new Set().add(refundedStatuses)",
  },
  {
    name: "the order's gateway fee is its tax of shipping",
    file: line,
    from: "else if (field === fields.order.shipping_tax) this.shippingTax = this.number",
    to: "else if (field === fields.order.shipping_tax) this.gatewayFee = this.number",
  },
  {
    name: "the tags of an item are those of all before it too",
    file: line,
    from: "item.firstTag = this.productTags.count",
    to: "item.firstTag = 0",
  },
  {
    name: "a field may stand there twice",
    file: bytes,
    from: "if ((seen & (1 << (field & 31))) !== 0) return unusual\n",
    to: "",
  },
  {
    name: "misspelt fields are ignored",
    file: bytes,
    from: "misspelt({ [name]: true }, this.known).length === 0",
    to: "true",
  },
  {
    name: "texts may have control characters",
    file: bytes,
    from: "if (byte < space || byte === backslash) return unusual",
    to: "if (byte === 0 || byte === 10 || byte === backslash) return unusual",
  },
  {
    name: "numbers may begin with a zero",
    file: bytes,
    from: "|| hasLeadingZero) return",
    to: ") return",
  },
  {
    name: "a minus is ignored",
    file: bytes,
    from: "this.number = isNegative ? -number : number",
    to: "this.number = number",
  },
  {
    name: "a list may end with a comma",
    file: bytes,
    from: "      at = this.string(at)\n",
    to: "      if (this.byte(at) === closeBracket) return at + 1\n      at = this.string(at)\n",
  },
  {
    name: "texts keep their escapes",
    file: bytes,
    from: "if (byte < space || byte === backslash) return unusual",
    to: "if (byte < space) return unusual",
  },
  {
    name: "an id may be empty",
    file: bytes,
    from: "end === unusual || this.from === this.to",
    to: "end === unusual",
  },
  {
    name: "a number may have any number of digits",
    file: bytes,
    from: " || at - start > mostDigits",
    to: "",
  },
]
