/** Where the focus is in a form: who uses the keyboard, or hears the page, is led to what is to be filled in. */
import type { RefObject } from "preact"
import { useEffect, useRef, useState } from "preact/hooks"

/** A form, and how it is told that it was refused. */
interface FormFocus {
  readonly form: RefObject<HTMLFormElement | null>
  /** Leads to the first field that is wrong. */
  readonly refuse: () => void
}

/** @param opensHere - whether the form appears on a page that is there already: then its first field has the focus */
export const useFormFocus = (opensHere: boolean): FormFocus => {
  const form = useRef<HTMLFormElement>(null)
  const [refusals, setRefusals] = useState(0)
  const focus = (selector: string) => form.current?.querySelector<HTMLElement>(selector)?.focus()
  useEffect(() => {
    if (opensHere) focus("input, select, textarea")
  }, [])
  useEffect(() => {
    if (refusals > 0) focus("[aria-invalid=true]")
  }, [refusals])
  return { form, refuse: () => setRefusals((count) => count + 1) }
}
