/**
 * Product groups, products and the links between them once more, from the decisions alone: lists that are
 * gone through whenever something is asked.
 */
import { Refused, refuse } from "./PayoutModel.js"

export interface ModelLink {
  readonly type: "products.all" | "products.tag" | "products.vendor" | "products"
  readonly modifier: "WITH" | "NOT"
  readonly values: ReadonlyArray<string>
}

export interface ModelGroup {
  readonly id: string
  readonly collaboratorId: string
  link: ModelLink
  percent: string
  readonly createdAt: number
  updatedAt: number
  version: number
  /** Whether linking has come to its end, so that the links are exact. */
  isLinked: boolean
}

export interface ModelProduct {
  readonly id: string
  readonly externalId?: string
  readonly externalVariantId?: string
  readonly name?: string
  readonly vendor?: string
  readonly sku?: string | null
  readonly tags?: ReadonlyArray<string>
}

export interface State {
  now: number
  readonly people: ReadonlyArray<string>
  readonly groups: Array<ModelGroup>
  readonly products: Array<ModelProduct>
}

/** Does something whole or not at all. */
export const attempt = <A>(
  model: { state: State },
  work: (state: State) => A,
): { readonly value: A } | Refused => {
  const copy = structuredClone(model.state)
  try {
    const value = work(copy)
    model.state = copy
    return { value }
  } catch (error) {
    if (error instanceof Refused) return error
    throw error
  }
}

export const keyOf = ({ id, externalVariantId }: ModelProduct): string =>
  externalVariantId === undefined ? id : `${id}/${externalVariantId}`

const folded = (text: string): string => text.trim().normalize("NFC").toLowerCase()

const has = (texts: ReadonlyArray<string>, wanted: ReadonlyArray<string>): boolean =>
  texts.some((text) => wanted.some((value) => folded(value) === folded(text)))

/** Whether a link selects a product. */
export const selects = ({ type, modifier, values }: ModelLink, product: ModelProduct): boolean => {
  const { id, externalId, vendor, tags = [] } = product
  const meets = {
    "products.all": () => true,
    "products.tag": () => has(tags, values),
    "products.vendor": () => vendor !== undefined && has([vendor], values),
    products: () => values.some((value) => value === id || value === externalId),
  }[type]()
  return modifier === "NOT" ? !meets : meets
}

const inTextOrder = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

export const inNameOrder = (products: ReadonlyArray<ModelProduct>): ReadonlyArray<ModelProduct> =>
  [...products].sort(
    (a, b) =>
      inTextOrder(a.name ?? "", b.name ?? "") ||
      inTextOrder(a.id, b.id) ||
      inTextOrder(a.externalVariantId ?? "", b.externalVariantId ?? ""),
  )

/** The products that a group is to be linked to at last, in the order of the catalogue. */
export const selected = (state: State, { link }: ModelGroup): ReadonlyArray<ModelProduct> =>
  inNameOrder(state.products.filter((product) => selects(link, product)))

/** The newest first, then by id. */
export const groupsOf = (state: State, collaboratorId: string): ReadonlyArray<ModelGroup> =>
  state.groups
    .filter((group) => group.collaboratorId === collaboratorId)
    .sort((a, b) => b.createdAt - a.createdAt || inTextOrder(a.id, b.id))

const find = (state: State, collaboratorId: string, groupId: string): ModelGroup => {
  if (!state.people.includes(collaboratorId)) refuse("NotFound")
  const group = state.groups.find(({ id }) => id === groupId)
  return group?.collaboratorId === collaboratorId ? group : refuse("NotFound")
}

/** What hosts ask of a group, valid or not. */
export interface Wish {
  readonly link: ModelLink
  readonly percent: number
}

const check = ({ link, percent }: Wish): void => {
  const needsValues = link.type !== "products.all"
  const isFilled = link.values.length > 0 && link.values.every((value) => value.trim() !== "")
  if ((needsValues && !isFilled) || percent > 100) refuse("InvalidProductGroup")
}

const linkOf = ({ link }: Wish): ModelLink =>
  link.type === "products.all" ? { ...link, values: [] } : link

const isSame = (a: ModelLink, b: ModelLink): boolean =>
  a.type === b.type &&
  a.modifier === b.modifier &&
  a.values.length === b.values.length &&
  a.values.every((value, index) => value === b.values[index])

export const create = (state: State, collaboratorId: string, id: string, wish: Wish): void => {
  check(wish)
  if (!state.people.includes(collaboratorId)) refuse("NotFound")
  if (state.groups.some((group) => group.id === id)) refuse("AlreadyExists")
  const at = { createdAt: state.now, updatedAt: state.now }
  const link = linkOf(wish)
  const percent = `${wish.percent}.00`
  state.groups.push({ id, collaboratorId, link, percent, ...at, version: 1, isLinked: false })
}

/** An absent part of the wish leaves things as they are. */
export const update = (
  state: State,
  collaboratorId: string,
  id: string,
  wish: Partial<Wish>,
): void => {
  const group = find(state, collaboratorId, id)
  const whole = { link: group.link, percent: Number(group.percent), ...wish }
  check(whole)
  const link = linkOf(whole)
  // What is linked stays when the link does.
  group.isLinked = group.isLinked && isSame(link, group.link)
  group.link = link
  group.percent = `${whole.percent}.00`
  group.updatedAt = state.now
  group.version += 1
}

export const remove = (state: State, collaboratorId: string, id: string): void => {
  state.groups.splice(state.groups.indexOf(find(state, collaboratorId, id)), 1)
}

export const get = (state: State, collaboratorId: string, id: string): ModelGroup =>
  find(state, collaboratorId, id)

export const list = (state: State, collaboratorId: string): ReadonlyArray<ModelGroup> =>
  state.people.includes(collaboratorId) ? groupsOf(state, collaboratorId) : refuse("NotFound")

/** The last of several entries with one key is kept. */
export const put = (state: State, products: ReadonlyArray<ModelProduct>): void => {
  if (products.some(({ id }) => id === "")) refuse("InvalidProducts")
  takeOut(state, products.map(keyOf))
  const kept = new Map(products.map((product) => [keyOf(product), product]))
  state.products.push(...kept.values())
}

export const takeOut = (state: State, keys: ReadonlyArray<string>): void => {
  const rest = state.products.filter((product) => !keys.includes(keyOf(product)))
  state.products.splice(0, state.products.length, ...rest)
}

const textsOf = (product: ModelProduct): ReadonlyArray<string> => [
  product.id,
  ...[
    product.externalId,
    product.externalVariantId,
    product.name,
    product.vendor,
    product.sku,
  ].filter((text) => typeof text === "string"),
  ...(product.tags ?? []),
]

export const search = (
  state: State,
  { search: text, collaboratorId }: { readonly search?: string; readonly collaboratorId?: string },
): ReadonlyArray<ModelProduct> =>
  inNameOrder(state.products).filter((product) => {
    const isFound =
      text === undefined || textsOf(product).some((each) => folded(each).includes(folded(text)))
    const isOwn =
      collaboratorId === undefined ||
      groupsOf(state, collaboratorId).some(({ link }) => selects(link, product))
    return isFound && isOwn
  })

/** The collaborators whose groups select a product, by id. */
export const collaboratorsOf = (state: State, product: ModelProduct): ReadonlyArray<string> =>
  [
    ...new Set(
      state.groups.filter(({ link }) => selects(link, product)).map((it) => it.collaboratorId),
    ),
  ].sort()
