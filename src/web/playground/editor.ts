/** The editor of JSON as an element of its own, in a shadow tree: its styles need no exception from the page's policy. */
import { autocompletion, completionKeymap } from "@codemirror/autocomplete"
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands"
import { json, jsonParseLinter } from "@codemirror/lang-json"
import {
  bracketMatching,
  HighlightStyle,
  indentOnInput,
  syntaxHighlighting,
} from "@codemirror/language"
import { forceLinting, linter, lintGutter, lintKeymap } from "@codemirror/lint"
import { EditorState, type Extension } from "@codemirror/state"
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
} from "@codemirror/view"
import { tags } from "@lezer/highlight"
import type { Problem } from "../../Problem.js"
import { completeBy } from "./Completion.js"
import { schemaOf } from "./EditorSchema.js"
import { diagnosticsOf } from "./Places.js"

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: "var(--accent)" },
  { tag: tags.string, color: "var(--good)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--warn)" },
])

const look = EditorView.theme({
  "&": { fontSize: "0.85rem", backgroundColor: "var(--sheet)", color: "var(--ink)" },
  "&.cm-focused": { outline: "3px solid var(--accent)", outlineOffset: "1px" },
  ".cm-scroller": { fontFamily: "var(--mono)", maxHeight: "34rem", minHeight: "12rem" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "var(--raised)", color: "var(--faint)", border: "none" },
  ".cm-activeLine": { backgroundColor: "transparent" },
  ".cm-selectionBackground, &.cm-focused .cm-selectionBackground": {
    backgroundColor: "var(--accent-soft) !important",
  },
  ".cm-tooltip": {
    backgroundColor: "var(--sheet)",
    color: "var(--ink)",
    borderColor: "var(--border)",
  },
  ".cm-tooltip-autocomplete ul li[aria-selected]": {
    backgroundColor: "var(--accent)",
    color: "var(--accent-ink)",
  },
})

const phrases = EditorState.phrases.of({ "Control character": "Unseen character" })

/** An editor of JSON with the fields of its subject, and problems at their lines. */
export class JsonEditor extends HTMLElement {
  #view: EditorView | undefined
  #text = ""
  #problems: ReadonlyArray<Problem> = []

  get value(): string {
    return this.#view?.state.doc.toString() ?? this.#text
  }

  set value(text: string) {
    this.#text = text
    const view = this.#view
    if (view === undefined || view.state.doc.toString() === text) return
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } })
  }

  /** What is wrong with the value, by paths in it. */
  get problems(): ReadonlyArray<Problem> {
    return this.#problems
  }

  set problems(problems: ReadonlyArray<Problem>) {
    if (problems.length === 0 && this.#problems.length === 0) return
    this.#problems = problems
    if (this.#view !== undefined) forceLinting(this.#view)
  }

  #extensions(): Extension {
    const given = this.getAttribute("subject")
    const subject = given === "order" || given === "counters" ? given : "groups"
    const ofText = jsonParseLinter()
    return [
      [lineNumbers(), history(), drawSelection(), indentOnInput(), bracketMatching()],
      [highlightActiveLine(), json(), syntaxHighlighting(colours), look, phrases],
      autocompletion({ override: [completeBy(schemaOf(subject))] }),
      linter(
        (view) => {
          const broken = ofText(view)
          return broken.length > 0 ? broken : [...diagnosticsOf(view.state, this.#problems)]
        },
        { delay: 250, needsRefresh: () => true },
      ),
      lintGutter(),
      // Tab leaves the editor, as it leaves every other field.
      keymap.of([...completionKeymap, ...lintKeymap, ...historyKeymap, ...defaultKeymap]),
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({
        "aria-label": this.getAttribute("label") ?? "JSON",
        tabindex: "0",
      }),
      EditorView.updateListener.of(({ docChanged, view }) => {
        if (docChanged && view.hasFocus) this.dispatchEvent(new Event("change"))
      }),
    ]
  }

  connectedCallback(): void {
    if (this.#view !== undefined) return
    const root = this.shadowRoot ?? this.attachShadow({ mode: "open" })
    const state = EditorState.create({ doc: this.#text, extensions: this.#extensions() })
    this.#view = new EditorView({ state, parent: root, root })
  }

  disconnectedCallback(): void {
    this.#view?.destroy()
    this.#view = undefined
  }
}

if (customElements.get("json-editor") === undefined) {
  customElements.define("json-editor", JsonEditor)
}
