/** Watching how far the linking of a group has come. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Stores } from "../../ports/Storage.js"
import type { StorageError } from "../../ports/StorageError.js"
import type { LinkProgress, ProductGroupsService } from "../ProductGroups.js"
import { NotFound } from "../ServiceError.js"
import type { Linker } from "./linking.js"
import type { Transactor } from "./transactor.js"

/** A group that never had a job is as far as it will come. */
const readProgress = Effect.fnUntraced(function* (
  { groups, links }: Stores,
  groupId: string,
): Effect.fn.Return<LinkProgress | undefined, StorageError> {
  const stored = yield* groups.get(groupId)
  if (stored === undefined) return undefined
  const job = yield* links.job(groupId)
  const [productsCount = 0] = yield* links.counts([groupId])
  return {
    groupId,
    groupVersion: job?.groupVersion ?? stored.version,
    scanned: job?.scanned ?? 0,
    status: job?.status ?? "done",
    productsCount,
  }
})

const isSame = (left: LinkProgress, right: LinkProgress): boolean =>
  left.groupVersion === right.groupVersion &&
  left.scanned === right.scanned &&
  left.status === right.status &&
  left.productsCount === right.productsCount

/** Another process that links says nothing here, so we look again by ourselves. */
const lookAgain = Effect.sleep("1 second")

/** The next progress that is another than the last one; `undefined`: there is no more to come. */
const progressAfter = Effect.fnUntraced(function* (
  { transactor, linker }: { readonly transactor: Transactor; readonly linker: Linker },
  { accountId, groupId }: { readonly accountId: string; readonly groupId: string },
  last: LinkProgress | undefined,
): Effect.fn.Return<LinkProgress | undefined, NotFound | StorageError> {
  while (last?.status !== "done") {
    const news = linker.news(accountId, groupId)
    const progress = yield* transactor.read(accountId, (stores) => readProgress(stores, groupId))
    if (progress === undefined) {
      return last === undefined ? yield* NotFound.of("product group", groupId) : undefined
    }
    if (last === undefined || !isSame(progress, last)) return progress
    yield* Effect.raceFirst(news, lookAgain)
  }
  return undefined
})

export const watch =
  (tools: {
    readonly transactor: Transactor
    readonly linker: Linker
  }): ProductGroupsService["watch"] =>
  (accountId, groupId) => {
    const about = { accountId, groupId }
    const start: LinkProgress | undefined = undefined
    return Stream.unfold(start, (last: LinkProgress | undefined) =>
      Effect.map(progressAfter(tools, about, last), (progress) =>
        progress === undefined ? undefined : ([progress, progress] as const),
      ),
    ).pipe(Stream.withSpan("ProductGroups.watch", { attributes: about }))
  }
