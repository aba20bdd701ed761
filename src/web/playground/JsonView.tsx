/** Groups or the order as JSON, in an editor that is loaded when it is first opened. */
import { useSignal } from "@preact/signals"
import * as Result from "effect/Result"
import type { JSX } from "preact"
import { useEffect, useRef } from "preact/hooks"
import type { Problem } from "../../Problem.js"
import * as Json from "../../wire/Json.js"
import type { JsonEditor } from "./editor.js"
import { readCounters, readGroups, readOrder } from "./Scenario.js"
import * as State from "./State.js"

/** What is edited. */
export type EditedPart = "groups" | "order" | "counters"

let loading: Promise<void> | undefined

/** A second script beside the page's own. It defines the element. */
const loadEditor = (): Promise<void> => {
  loading ??= new Promise((done, fail) => {
    const script = document.createElement("script")
    script.src = "editor.js"
    script.onload = () => done()
    script.onerror = () => {
      loading = undefined
      fail(new DOMException("editor.js can't be loaded"))
    }
    document.head.append(script)
  })
  return loading
}

const edited = { groups: State.groups, order: State.order, counters: State.counters } as const

const textOf = (subject: EditedPart): string => JSON.stringify(edited[subject].peek(), undefined, 2)

const problemsOf = (subject: EditedPart): ReadonlyArray<Problem> => {
  if (subject === "groups") return readGroups(State.groups.value).problems
  if (subject === "order") return readOrder(State.order.value).problems
  return readCounters(State.counters.value).problems
}

const names = {
  groups: "Product groups as JSON",
  order: "Order as JSON",
  counters: "Counted before as JSON",
} as const

/** Takes the text over when it is JSON; says what is wrong with it otherwise. */
const take = (subject: EditedPart, text: string): string | undefined => {
  const read = Json.parse(text)
  if (Result.isFailure(read)) return read.failure.problems[0]?.message ?? "is not JSON"
  const value = read.success
  if (subject === "order") State.order.value = value
  else if (Array.isArray(value)) edited[subject].value = value
  else return `must be a list of ${subject}: [ … ]`
  return undefined
}

const isEditor = (element: Element | undefined): element is JsonEditor =>
  element !== undefined && "problems" in element

/** The editor. */
export const JsonView = ({ subject }: { readonly subject: EditedPart }): JSX.Element => {
  const place = useRef<HTMLDivElement>(null)
  const wrong = useSignal<string | undefined>(undefined)
  const state = useSignal<"loading" | "there" | "missing">("loading")
  const editor = useRef<JsonEditor>(undefined)
  const problems = problemsOf(subject)
  useEffect(() => {
    let isGone = false
    const show = () => {
      if (isGone) return
      const element = document.createElement("json-editor")
      if (!isEditor(element)) return
      element.setAttribute("subject", subject)
      element.setAttribute("label", names[subject])
      element.value = textOf(subject)
      element.addEventListener("change", () => {
        wrong.value = take(subject, element.value)
      })
      place.current?.append(element)
      editor.current = element
      state.value = "there"
    }
    loadEditor().then(show, () => {
      state.value = "missing"
    })
    return () => {
      isGone = true
      editor.current?.remove()
    }
  }, [subject, wrong, state])
  useEffect(() => {
    if (editor.current !== undefined)
      editor.current.problems = wrong.value === undefined ? problems : []
  })
  useEffect(() => {
    if (editor.current !== undefined) editor.current.value = textOf(subject)
    wrong.value = undefined
  }, [State.loads.value, subject, wrong])
  return (
    <div class="json" data-json={subject}>
      {state.value === "loading" && <p class="faint">Loading the editor…</p>}
      {state.value === "missing" && <p class="notice notice-bad">editor.js is not there.</p>}
      <div ref={place} />
      <p role="status" class="field-problem">
        {wrong.value ??
          (problems.length > 0 ? `${problems.length} problems, marked at their lines.` : "")}
      </p>
    </div>
  )
}
