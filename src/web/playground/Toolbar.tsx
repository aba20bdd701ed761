/** What concerns the whole page: examples, files and the link. */
import { useSignal } from "@preact/signals"
import type { JSX } from "preact"
import { useRef } from "preact/hooks"
import { Button } from "../parts/Button.js"
import { SelectField } from "../parts/Field.js"
import { tell } from "../parts/Toast.js"
import { fragment } from "./Address.js"
import { examples } from "./Examples.js"
import { type Contents, contentsOf, filesOf, mostBytes } from "./Files.js"
import { mostCharacters } from "./Link.js"
import * as State from "./State.js"

/** Gives a text to the browser as a file to save. */
const save = (name: string, text: string): void => {
  const address = URL.createObjectURL(new Blob([text], { type: "application/json" }))
  const anchor = document.createElement("a")
  anchor.href = address
  anchor.download = name
  anchor.click()
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}

const takeOrders = (
  name: string,
  { orders, notes }: Extract<Contents, { readonly kind: "orders" }>,
): void => {
  const [first] = orders
  State.orders.value = orders
  if (first !== undefined) State.showOrder(first)
  const left = notes.length === 0 ? "" : `; not taken: ${notes.slice(0, 3).join("; ")}`
  tell(`${name}: ${orders.length} orders${left}`, first === undefined ? "bad" : "done")
}

const take = (name: string, contents: Contents): void => {
  if (contents.kind === "none") tell(`${name}: ${contents.why}`, "bad")
  else if (contents.kind === "orders") takeOrders(name, contents)
  else if (contents.kind === "policy") {
    State.policy.value = contents.policy
    tell(`${name}: the policy`)
  } else if (contents.kind === "counters") {
    State.showCounters(contents.counters)
    tell(`${name}: ${contents.counters.length} counters`)
  } else {
    State.showGroups(contents.groups)
    tell(`${name}: ${contents.groups.length} groups`)
  }
}

const open = async (files: ReadonlyArray<File>): Promise<void> => {
  for (const file of files) {
    if (file.size > mostBytes) tell(`${file.name} is too large for a page`, "bad")
    else take(file.name, contentsOf(await file.text()))
  }
}

const copyLink = async (): Promise<void> => {
  const text = await fragment()
  if (text.length > mostCharacters) {
    tell("That is too much for a link: save it as files.", "bad")
    return
  }
  history.replaceState(null, "", `#${text}`)
  try {
    // Pages that came over an open connection have no clipboard at all.
    await navigator.clipboard.writeText(location.href)
    tell("The link is copied. Everything is in it; nothing was sent anywhere.")
  } catch {
    tell("The link is in the address bar.")
  }
}

const OpenFiles = (): JSX.Element => {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button onPress={() => input.current?.click()}>Open files</Button>
      <input
        ref={input}
        class="spoken"
        type="file"
        tabIndex={-1}
        aria-label="Files of groups, orders, a policy, counters, or an order of Shopify"
        accept=".json,.ndjson,application/json"
        multiple
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])]
          currentTarget.value = ""
          void open(files)
        }}
      />
    </>
  )
}

const choices = examples.map(({ name }, place) => [String(place), name] as const)

/** The bar at the top. */
export const Toolbar = (): JSX.Element => {
  const chosen = useSignal("0")
  const example = examples[Number(chosen.value)]
  return (
    <header class="top">
      <h1>Apportion playground</h1>
      <div class="example">
        <SelectField
          label="Example"
          value={chosen.value}
          choices={choices}
          help={example?.about}
          onValue={(place) => {
            chosen.value = place
            const next = examples[Number(place)]
            if (next !== undefined) State.load(next.inputs)
          }}
        />
      </div>
      <div class="row">
        <OpenFiles />
        <Button
          onPress={() => {
            for (const { name, text } of filesOf(State.inputs.value)) save(name, text)
          }}
        >
          Save files
        </Button>
        <Button onPress={() => void copyLink()}>Copy link</Button>
      </div>
    </header>
  )
}
