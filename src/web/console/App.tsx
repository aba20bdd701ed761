/** The console: where one is, and where one can go. */
import { useEffect, useRef } from "preact/hooks"
import { Button } from "../parts/Button.js"
import { Agreement } from "./Agreement.js"
import { Agreements } from "./Agreements.js"
import type { Single } from "./Answers.js"
import { Balances } from "./Balances.js"
import { CollaboratorForm } from "./CollaboratorForm.js"
import { forgetCollaborators } from "./Collaborators.js"
import { isHeldUp, isSignedIn, signOut } from "./Connection.js"
import { Events } from "./Events.js"
import { Group } from "./Group.js"
import { Groups } from "./Groups.js"
import { useLoad } from "./Load.js"
import { Actor } from "./Name.js"
import { Overview } from "./Overview.js"
import { PaymentRun } from "./PaymentRun.js"
import { Payout } from "./Payout.js"
import { Payouts } from "./Payouts.js"
import { link, route } from "./Route.js"
import { Sale } from "./Sale.js"
import { Sales } from "./Sales.js"
import { scopes } from "./Scopes.js"
import { SignIn } from "./SignIn.js"
import { zone } from "./Time.js"

const places = [
  ["overview", "Overview"],
  ["payouts", "Payouts"],
  ["groups", "Product groups"],
  ["agreements", "Agreements"],
  ["sales", "Sales"],
  ["balances", "Balances"],
  ["events", "Events"],
] as const

const View = () => {
  const [place = "overview", id, second] = route.value.names
  if (place === "overview") return <Overview />
  if (place === "payment-run") return <PaymentRun />
  if (place === "payouts") return id === undefined ? <Payouts /> : <Payout key={id} id={id} />
  if (place === "groups") return id === undefined ? <Groups /> : <Group key={id} id={id} />
  if (place === "sales") return id === undefined ? <Sales /> : <Sale key={id} id={id} />
  if (place === "agreements") {
    if (id === undefined) return <Agreements />
    return <Agreement key={`${id} ${second}`} kind={id} id={second} />
  }
  if (place === "balances") return <Balances />
  if (place === "collaborators" && id === "new") return <CollaboratorForm />
  if (place === "events") return <Events />
  return (
    <>
      <h1 tabIndex={-1}>There is nothing here</h1>
      <p>
        <a href={link(["overview"])}>Go to the overview</a>
      </p>
    </>
  )
}

/** Who the token belongs to, and what it may do. */
interface TokenSession {
  readonly actor: string
  readonly scopes: ReadonlyArray<string> | null
  readonly time_zone: string
}

const readsOnly = ({ scopes }: TokenSession): boolean =>
  scopes?.every((scope) => scope === "read") ?? false

const Who = () => {
  const session = useLoad<Single<TokenSession>>("session").value?.data
  useEffect(() => {
    if (session === undefined) return
    zone.value = session.time_zone
    scopes.value = session.scopes
  }, [session])
  return (
    <div class="who">
      {session !== undefined && (
        <span class="faint">
          <Actor of={session.actor} />
          {readsOnly(session) && " (may look, but change nothing)"}
        </span>
      )}
      <Button
        onPress={() => {
          forgetCollaborators()
          scopes.value = null
          signOut()
        }}
      >
        Sign out
      </Button>
    </div>
  )
}

/** Said while requests wait, so that nobody takes the page for broken. */
const HeldUp = () => (
  <div role="status">
    {isHeldUp.value && (
      <p class="notice notice-warn">
        The server takes only so many requests in a minute. The page goes on by itself as soon as it
        may.
      </p>
    )}
  </div>
)

/** Views that belong to one that the navigation names. */
const partOf: Readonly<Record<string, string>> = {
  "payment-run": "payouts",
  collaborators: "balances",
}

const titles: Readonly<Record<string, string>> = {
  ...Object.fromEntries(places),
  "payment-run": "Payment run",
  collaborators: "New collaborator",
}

const isHere = (place: string): boolean => {
  const [here = "overview"] = route.value.names
  return here === place || partOf[here] === place
}

const Places = () => (
  <nav aria-label="Views">
    <ul class="places">
      {places.map(([place, name]) => (
        <li key={place}>
          <a href={link([place])} aria-current={isHere(place) ? "page" : undefined}>
            {name}
          </a>
        </li>
      ))}
    </ul>
  </nav>
)

/** After a way to another view the focus is at its heading, as a new page would have it. */
const useArrival = () => {
  const main = useRef<HTMLElement>(null)
  const where = route.value.names.join("/")
  const isFirst = useRef(true)
  useEffect(() => {
    const [place = "overview"] = route.value.names
    document.title = `${titles[place] ?? "Nothing here"} – Apportion`
    if (isFirst.current) {
      isFirst.current = false
      return
    }
    scrollTo(0, 0)
    const heading = main.current?.querySelector<HTMLElement>("h1")
    const target = heading ?? main.current
    target?.focus({ preventScroll: true })
  }, [where])
  return main
}

const Inside = () => {
  const main = useArrival()
  return (
    <>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to the content
      </button>
      <header class="top">
        <a class="brand" href={link(["overview"])}>
          Apportion
        </a>
        <Places />
        <Who />
      </header>
      <main ref={main} tabIndex={-1}>
        <HeldUp />
        <View />
        <p class="faint zone">Days and times are those of {zone.value.replaceAll("_", " ")}.</p>
      </main>
    </>
  )
}

export const App = () => (isSignedIn.value ? <Inside /> : <SignIn />)
