/** A server that listens, with the sample store in it, for a client that knows nothing of this project. */
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { getRequestListener } from "@hono/node-server"
import { toWebHandler } from "apportion/http"
import { MemoryStorage } from "apportion/memory"
import { ExchangeRates, Storage, type StorageService, type Stores, Tokens } from "apportion/ports"
import { servicesLayer, settingsLayer } from "apportion/service"
import { Store } from "apportion/wire"
import { Effect, Layer, Logger, Result } from "effect"
import * as ServeSeeding from "../../src/cli/serve/ServeStorage.js"

export const store = Result.getOrThrow(
  Store.read(JSON.parse(readFileSync("docs/sample-store/store.json", "utf8"))),
)
const seeded = new Set(store.groups.map(({ group }) => group.id))

/** Linking of new groups, which waits after each batch until a request that comes later was answered. */
class Pace {
  private goOn: (() => void) | undefined

  /** Waits with the linking after each batch. */
  readonly hold = ({ transaction, ...rest }: StorageService): StorageService => ({
    ...rest,
    transaction: (accountId, work, options) => {
      let isBatch = false
      let isNew = false
      const watched = (stores: Stores) => {
        const { links, products: all, ...others } = stores
        const { selected: _none, ...products } = all
        const batch: typeof products.batch = (next) => {
          isBatch = true
          return products.batch(next)
        }
        const saveJob: typeof links.saveJob = (job) => {
          isNew = !seeded.has(job.groupId)
          return links.saveJob(job)
        }
        return work({ ...others, links: { ...links, saveJob }, products: { ...products, batch } })
      }
      const wait = Effect.callback<void>((resume) => {
        this.goOn = () => resume(Effect.void)
      })
      const pause = Effect.suspend(() => (isBatch && isNew ? wait : Effect.void))
      return Effect.tap(transaction(accountId, watched, options), () => pause)
    },
  })

  /** Lets the linking go on when a request was answered that came after its last batch. */
  readonly answering =
    (handler: (request: Request) => Promise<Response>) =>
    async (request: Request): Promise<Response> => {
      const { goOn } = this
      const response = await handler(request)
      if (request.method === "GET") goOn?.()
      return response
    }
}

const layersFor = (pace: Pace) => {
  const storage = Layer.effect(
    Storage,
    Effect.gen(function* () {
      const memory = yield* MemoryStorage.make
      yield* Effect.orDie(ServeSeeding.seed(memory, "store", store))
      return pace.hold(memory)
    }),
  )
  const services = servicesLayer.pipe(
    Layer.provide([storage, ExchangeRates.none]),
    Layer.provide(Layer.orDie(settingsLayer({ linkBatchSize: 8 }))),
  )
  const tokens = Tokens.fixed([{ token, accountId: "store" }])
  return Layer.merge(services, tokens).pipe(Layer.provideMerge(Logger.layer([])))
}

/** The access token that it takes. */
export const token = "paper-heron-at-dusk"

/** Begins to listen on a free port. New groups are linked no faster than it is asked about them. */
export const listen = async () => {
  const pace = new Pace()
  const { handler, dispose } = toWebHandler(layersFor(pace), { ratePerMinute: 1_000 })
  const listener = getRequestListener(pace.answering(handler), { overrideGlobalObjects: false })
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return {
    origin: `http://127.0.0.1:${port}`,
    close: async () => {
      await dispose()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
