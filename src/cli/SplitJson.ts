/**
 * The line of JSON of a split order: the text that `JSON.stringify` makes of `Split.write`. A million of
 * them are written, and what a group says is the same in all of its shares, so that is kept as text.
 */
import type { Share } from "../shares/Share.js"
import type { Split } from "../shares/Split.js"

/** The texts around the figures of a group's shares, and what they were made of. */
interface GroupText {
  readonly collaboratorId: string
  readonly percent: string | null
  readonly flatAmount: number | null
  readonly before: string
  readonly after: string
}

/** Rule sets may be larger than what is worth keeping. */
const mostTexts = 10_000

const textOf = ({ groupId, collaboratorId, percent, flatAmount }: Share): GroupText => {
  const [group, collaborator] = [JSON.stringify(groupId), JSON.stringify(collaboratorId)]
  return {
    ...{ collaboratorId, percent, flatAmount },
    before: `,"group_id":${group},"collaborator_id":${collaborator},"amount":`,
    after: `,"percent":${JSON.stringify(percent)},"flat_amount":${flatAmount}}`,
  }
}

/** Writes lines of JSON. */
export class SplitJson {
  private readonly texts = new Map<string, GroupText>()

  /** The line without its closing brace, so that more can follow. */
  unclosed({ orderId, currency, shares, store }: Split): string {
    let itemId: string | undefined
    let item = ""
    const itemOf = (id: string): string => {
      if (id !== itemId) item = `{"item_id":${JSON.stringify(id)}`
      itemId = id
      return item
    }
    let text = `{"order_id":${JSON.stringify(orderId)},"currency":${JSON.stringify(currency)},"shares":[`
    let separator = ""
    for (const share of shares) {
      const { before, after } = this.textOf(share)
      const { amount, shippingAmount, base } = share
      text += `${separator}${itemOf(share.itemId)}${before}${amount},"shipping_amount":${shippingAmount},"base":${base}${after}`
      separator = ","
    }
    text += `],"store":[`
    separator = ""
    for (const rest of store) {
      text += `${separator}${itemOf(rest.itemId)},"amount":${rest.amount}}`
      separator = ","
    }
    return `${text}]`
  }

  private textOf(share: Share): GroupText {
    const { collaboratorId, percent, flatAmount } = share
    const known = this.texts.get(share.groupId)
    if (
      known !== undefined &&
      known.percent === percent &&
      known.collaboratorId === collaboratorId &&
      known.flatAmount === flatAmount
    ) {
      return known
    }
    const made = textOf(share)
    if (this.texts.size < mostTexts || known !== undefined) this.texts.set(share.groupId, made)
    return made
  }
}
