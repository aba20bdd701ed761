import { PageRequest, type Product } from "apportion"
import { productKeyOf } from "apportion/ports"
import {
  Collaborators,
  type ListedGroup,
  type NewGroup,
  ProductGroups,
  type ProductGroupsService,
  Products,
  type ViewedGroup,
} from "apportion/service"
import { Effect, Result, Stream } from "effect"
import fc from "fast-check"
import { expect } from "vitest"
import * as model from "./GroupModel.js"
import { Refused } from "./PayoutModel.js"
import { account, HandClock, openShop, runRight, type Services, type Shop } from "./Shop.js"
import type { Tally } from "./Tally.js"

export interface Real extends Shop {
  readonly tally: Tally
}

export interface Model {
  state: model.State
}

export type Command = fc.AsyncCommand<Model, Real>
type Failure = { readonly _tag: string }

const start = 1_700_000_000
const whole = { page: 1, perPage: PageRequest.maximumPerPage }

/** A shop with two collaborators, no group and no product, whose groups are linked bit by bit. */
export const openGroupShop = async (
  tally: Tally,
  options: Pick<Parameters<typeof openShop>[0], "storage"> = {},
): Promise<{ readonly real: Real; readonly model: Model }> => {
  const clock = new HandClock(start)
  const shop = await openShop({ clock, settings: { linkBatchSize: 2 }, ...options })
  for (const id of ["ada", "ben"]) {
    const made = Effect.flatMap(Collaborators, (service) =>
      service.create(account, { id, currency: "USD" }),
    )
    await runRight(shop, made)
  }
  const state = { now: start, people: ["ada", "ben"], groups: [], products: [] }
  return { real: { ...shop, tally }, model: { state } }
}

const groups = <A, E>(use: (service: ProductGroupsService) => Effect.Effect<A, E>) =>
  Effect.flatMap(ProductGroups, use)

const headSeen = ({ group, updatedAt, version }: ListedGroup | ViewedGroup) => ({
  id: group.id,
  collaboratorId: group.collaboratorId,
  link: group.link,
  percent: group.percent,
  createdAt: group.createdAt,
  updatedAt,
  version,
})

const headOf = ({ isLinked: _isLinked, ...head }: model.ModelGroup) => head

const keysOf = (products: ReadonlyArray<Product.Product>) => products.map(productKeyOf)

/** The groups, and of each the products that it is linked to by now. */
const seenGroups = (collaboratorId: string) =>
  groups((service) =>
    Effect.flatMap(service.list(account, collaboratorId, whole), ({ entries, total }) =>
      Effect.map(
        Effect.forEach(entries, (each) =>
          Effect.map(service.get(account, collaboratorId, each.group.id, whole), (viewed) => ({
            listed: each,
            viewed,
          })),
        ),
        (found) => ({ found, total }),
      ),
    ),
  )

const checkLinks = (
  state: model.State,
  group: model.ModelGroup,
  { listed, viewed }: { readonly listed: ListedGroup; readonly viewed: ViewedGroup },
): void => {
  const linked = keysOf(viewed.products.entries)
  const selected = model.selected(state, group).map(model.keyOf)
  expect(viewed.products.total).toBe(linked.length)
  // Linking goes on between two looks.
  if (!group.isLinked) expect(selected).toEqual(expect.arrayContaining(linked))
  else {
    expect(linked).toEqual(selected)
    expect(listed.productsCount).toBe(selected.length)
  }
}

/** What hosts see is what the model says: groups, their order, links and counts, and the catalogue. */
export const checkAgreement = async ({ state }: Model, real: Real): Promise<void> => {
  for (const person of state.people) {
    const { found, total } = await runRight(real, seenGroups(person))
    const expected = model.groupsOf(state, person)
    expect(found.map(({ listed }) => headSeen(listed))).toEqual(expected.map(headOf))
    expect(found.map(({ viewed }) => headSeen(viewed))).toEqual(expected.map(headOf))
    expect(total).toBe(expected.length)
    expected.forEach((group, index) => {
      const seen = found[index]
      if (seen !== undefined) checkLinks(state, group, seen)
    })
  }
  const listed = await runRight(
    real,
    Effect.flatMap(Products, (service) => service.list(account, {}, whole)),
  )
  expect(listed.entries.map(({ product }) => product)).toEqual(model.inNameOrder(state.products))
}

interface Deed {
  readonly call: Effect.Effect<unknown, Failure, Services>
  readonly copy: (state: model.State) => unknown
  readonly compare?: (answer: unknown, copied: unknown) => void
}

const command = (
  name: string,
  details: unknown,
  deed: (state: model.State, real: Real) => Deed,
): Command => ({
  check: () => true,
  toString: () => `${name}(${fc.stringify(details)})`,
  run: async (known, real) => {
    const { call, copy, compare } = deed(known.state, real)
    const expected = model.attempt(known, copy)
    const result = await real.run(call)
    const outcome = Result.isSuccess(result) ? "done" : result.failure._tag
    real.tally.add(`${name} ${outcome === "done" ? "done" : "refused"}`)
    if (expected instanceof Refused) expect(expected.tags).toContain(outcome)
    else expect(outcome).toBe("done")
    if (!(expected instanceof Refused) && Result.isSuccess(result)) {
      compare?.(result.success, expected.value)
    }
    await checkAgreement(known, real)
  },
})

const person = fc.constantFrom("ada", "ada", "ben", "nobody")
const groupId = fc.constantFrom("g1", "g2", "g3", "g4", "g5")
const tag = fc.constantFrom("art", "ART ", "wall", "café", "Cafe\u0301")
const vendor = fc.constantFrom("North", " north", "South")
const productId = fc.constantFrom("p1", "P1", "p2", "p3", "p4")
const name = fc.constantFrom("Mug", "mug", "Print", "Poster")

const link: fc.Arbitrary<model.ModelLink> = fc.oneof(
  fc.record({
    type: fc.constant("products.all" as const),
    modifier: fc.constant("WITH" as const),
    values: fc.constantFrom([], ["ignored"]),
  }),
  ...(
    [
      ["products.tag", tag],
      ["products.vendor", vendor],
      ["products", productId],
    ] as const
  ).map(([type, value]) =>
    fc.record({
      type: fc.constant(type),
      modifier: fc.constantFrom("WITH" as const, "WITH" as const, "NOT" as const),
      values: fc.oneof(
        { weight: 12, arbitrary: fc.array(value, { minLength: 1, maxLength: 2 }) },
        { weight: 1, arbitrary: fc.constantFrom([], [" "]) },
      ),
    }),
  ),
)

const percent = fc.constantFrom(0, 1, 10, 33, 100, 120)

const product: fc.Arbitrary<model.ModelProduct> = fc.record(
  {
    id: fc.oneof({ weight: 30, arbitrary: productId }, { weight: 1, arbitrary: fc.constant("") }),
    externalId: productId,
    externalVariantId: fc.constantFrom("red", "blue"),
    name,
    vendor,
    sku: fc.constantFrom(null, "MUG-1"),
    tags: fc.array(tag, { maxLength: 2 }),
  },
  { requiredKeys: ["id"] },
)

const create = fc.record({ who: person, id: groupId, link, percent }).map((details) => {
  const { who, id, ...wish } = details
  return command("create", details, () => ({
    call: Effect.map(
      groups((service) => service.create(account, who, { id, ...wish } satisfies NewGroup)),
      // No product is linked yet when it answers.
      ({ products }) => products,
    ),
    copy: (state) => model.create(state, who, id, wish),
    compare: (answer) => expect(answer).toEqual({ entries: [], total: 0 }),
  }))
})

/** Mostly a group that is there, with its own collaborator; else any name of both. */
interface Target {
  readonly number: number
  readonly isThere: boolean
  readonly who: string
  readonly id: string
}

const target: fc.Arbitrary<Target> = fc.record({
  number: fc.nat({ max: 20 }),
  isThere: fc.nat({ max: 5 }).map((n) => n > 0),
  who: person,
  id: groupId,
})

const addressOf = ({ groups: all }: model.State, { number, isThere, who, id }: Target) => {
  const there = isThere ? all[number % Math.max(1, all.length)] : undefined
  return there === undefined ? { who, id } : { who: there.collaboratorId, id: there.id }
}

const update = fc
  .record({
    target,
    wish: fc.record({ link, percent }, { requiredKeys: [] }),
  })
  .map((details) => {
    const { wish } = details
    return command("update", details, (before) => {
      const { who, id } = addressOf(before, details.target)
      return {
        call: groups((service) =>
          service.update(account, who, id, (group) => Result.succeed({ ...group, ...wish })),
        ),
        copy: (state) => model.update(state, who, id, wish),
      }
    })
  })

const remove = target.map((details) =>
  command("remove", details, (before) => {
    const { who, id } = addressOf(before, details)
    return {
      call: groups((service) => service.remove(account, who, id)),
      copy: (state) => model.remove(state, who, id),
    }
  }),
)

const put = fc.array(product, { maxLength: 5 }).map((products) =>
  command("put", products, () => ({
    call: Effect.flatMap(Products, (service) => service.put(account, products)),
    copy: (state) => model.put(state, products),
  })),
)

const key = fc
  .tuple(productId, fc.constantFrom("", "/red", "/blue"))
  .map(([id, variant]) => id + variant)

const takeOut = fc.array(key, { maxLength: 3 }).map((keys) =>
  command("take out", keys, () => ({
    call: Effect.flatMap(Products, (service) => service.remove(account, keys)),
    copy: (state) => model.takeOut(state, keys),
  })),
)

/** Watches a group until its linking is done; what it tells only grows. */
const untilLinked = target.map((details) =>
  command("link", details, (before) => {
    const { id } = addressOf(before, details)
    return {
      call: groups((service) => Stream.runCollect(service.watch(account, id))),
      copy: (state) => {
        const group = state.groups.find((each) => each.id === id)
        if (group === undefined) throw new Refused("NotFound")
        group.isLinked = true
        return model.selected(state, group).length
      },
      compare: (answer, count) => {
        const told = answer as ReadonlyArray<{
          readonly scanned: number
          readonly status: string
          readonly productsCount: number
        }>
        expect(told.at(-1)).toMatchObject({ status: "done", productsCount: count })
        const scanned = told.map((each) => each.scanned)
        expect(scanned).toEqual([...scanned].sort((a, b) => a - b))
      },
    }
  }),
)

const wait = fc.constantFrom(0, 1, 3_600).map((seconds) =>
  command("wait", { seconds }, ({ now }, real) => {
    real.clock.now = now + seconds
    return {
      call: Effect.yieldNow,
      copy: (state) => {
        state.now += seconds
      },
    }
  }),
)

const page = fc.record({
  page: fc.integer({ min: 1, max: 4 }),
  perPage: fc.integer({ min: 1, max: 3 }),
})

const pageOf = <A>(all: ReadonlyArray<A>, asked: PageRequest.PageRequest): ReadonlyArray<A> =>
  all.slice((asked.page - 1) * asked.perPage, asked.page * asked.perPage)

const list = fc.record({ who: person, page }).map((details) =>
  command("list", details, () => ({
    call: Effect.map(
      groups((service) => service.list(account, details.who, details.page)),
      ({ entries, total }) => ({ ids: entries.map(({ group }) => group.id), total }),
    ),
    copy: (state) => {
      const all = model.list(state, details.who).map(({ id }) => id)
      return { ids: pageOf(all, details.page), total: all.length }
    },
    compare: (answer, copied) => expect(answer).toEqual(copied),
  })),
)

const view = fc.record({ target, page }).map((details) =>
  command("view", details, (before) => {
    const { who, id } = addressOf(before, details.target)
    return {
      call: Effect.map(
        groups((service) => service.get(account, who, id, details.page)),
        ({ products }) => ({ keys: keysOf(products.entries), total: products.total }),
      ),
      copy: (state) => {
        const group = model.get(state, who, id)
        const all = model.selected(state, group).map(model.keyOf)
        const linked = { keys: pageOf(all, details.page), total: all.length }
        return group.isLinked ? linked : undefined
      },
      compare: (answer, copied) => {
        if (copied !== undefined) expect(answer).toEqual(copied)
      },
    }
  }),
)

const search = fc
  .record({
    query: fc.record(
      {
        search: fc.constantFrom("MUG", " p1", "café", "rt", "nothing like it", " "),
        collaboratorId: fc.constantFrom("ada", "ben"),
      },
      { requiredKeys: [] },
    ),
    page,
  })
  .map((details) =>
    command("search", details, ({ groups: all }) => ({
      call: Effect.map(
        Effect.flatMap(Products, (service) =>
          service.list(account, { ...details.query, includeCollaborators: true }, details.page),
        ),
        ({ entries, total }) => ({
          found: entries.map(({ product: one, collaborators }) => [
            productKeyOf(one),
            collaborators.map(({ id }) => id),
          ]),
          total,
        }),
      ),
      copy: (state) => {
        const found = model.search(state, details.query)
        const shown = pageOf(found, details.page).map((one) => [
          model.keyOf(one),
          model.collaboratorsOf(state, one),
        ])
        // As long as linking goes on it is not known which collaborators are found.
        return all.every(({ isLinked }) => isLinked)
          ? { found: shown, total: found.length }
          : undefined
      },
      compare: (answer, copied) => {
        if (copied !== undefined) expect(answer).toEqual(copied)
      },
    })),
  )

/** The commands, often those that change something. */
export const commands = (maxCommands: number): fc.Arbitrary<Iterable<Command>> =>
  fc.commands(
    [
      ...[create, create, create, update, update, remove, put, put, put, takeOut],
      ...[untilLinked, untilLinked, untilLinked, wait, list, view, view, search, search],
    ],
    { maxCommands, size: "max" },
  )
