/** The endpoints of re-splits of past sales, which the original API does not have. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import {
  NewResplit,
  ResplitApproval,
  ResplitPreviewRequest,
  ResplitPreviewView,
  ResplitView,
} from "../wire/ResplitSchemas.js"
import { PageOf } from "../wire/Schemas.js"
import { Authorization, Malformations } from "./Caller.js"
import { beside, created, IdempotencyKey, id, One } from "./EndpointParts.js"
import * as Query from "./Query.js"
import { always, Conflicting, Invalid, NotFound, ofBody } from "./RefusalSchemas.js"

const run = { run_id: id("The run's id") }

export const listResplits = HttpApiEndpoint.get("list", "/resplits", {
  query: Query.Page,
  success: PageOf(ResplitView),
  error: [...always, Invalid],
}).annotateMerge(beside("listResplits", "List re-splits", "The latest proposed first"))

export const proposeResplit = HttpApiEndpoint.post("propose", "/resplits", {
  headers: IdempotencyKey,
  payload: NewResplit,
  success: created(One(ResplitView)),
  error: [...always, ...ofBody, Conflicting],
}).annotateMerge(
  beside(
    "proposeResplit",
    "Propose a re-split",
    "Stores what splitting past sales again would change, by the product groups and the policy that are given, or the account's as they are now. No payout is changed. The same proposal again changes nothing; another one with the same id is refused with 409",
  ),
)

export const previewResplit = HttpApiEndpoint.post("preview", "/resplits/preview", {
  payload: ResplitPreviewRequest,
  success: One(ResplitPreviewView),
  error: [...always, ...ofBody],
}).annotateMerge(
  beside(
    "previewResplit",
    "Preview a re-split",
    "What splitting past sales again would change, by the product groups and the policy that are given, or the account's as they are now. Nothing is stored",
  ),
)

export const viewResplit = HttpApiEndpoint.get("view", "/resplits/:run_id", {
  params: run,
  success: One(ResplitView),
  error: [...always, NotFound],
}).annotateMerge(beside("viewResplit", "View a re-split", "As it is now"))

export const approveResplit = HttpApiEndpoint.post("approve", "/resplits/:run_id/approve", {
  params: run,
  headers: IdempotencyKey,
  payload: ResplitApproval,
  success: One(ResplitView),
  error: [...always, ...ofBody, NotFound, Conflicting],
}).annotateMerge(
  beside(
    "approveResplit",
    "Approve a re-split",
    "By the digest of the preview that was looked at: refused with 409 when the run changes something else",
  ),
)

export const bookResplit = HttpApiEndpoint.post("book", "/resplits/:run_id/book", {
  params: run,
  headers: IdempotencyKey,
  success: One(ResplitView),
  error: [...always, NotFound, Conflicting, Invalid],
}).annotateMerge(
  beside(
    "bookResplit",
    "Book a re-split",
    "Adds the differences to the collaborators' active payouts. Refused with 409, without any effect, when it was not approved, or would change something else by now. Booked again it has one effect, and one that was broken off is booked to its end",
  ),
)

export class ResplitEndpoints extends HttpApiGroup.make("resplits")
  .add(listResplits, proposeResplit, previewResplit, viewResplit, approveResplit, bookResplit)
  .middleware(Malformations)
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({
      title: "Re-splits",
      description: "Splitting past sales again by the rules as they are now, or by given ones",
    }),
  ) {}
