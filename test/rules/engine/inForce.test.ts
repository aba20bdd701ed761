import { ProductGroup } from "apportion"
import { expect, test } from "vitest"
import { inForce } from "../../../src/rules/engine/Conditions.js"

const group = (dates: { readonly startsAt?: number; readonly endsAt?: number }) =>
  ProductGroup.make({
    id: "g",
    collaboratorId: "ada",
    link: { type: "products.all" },
    percent: 1,
    ...dates,
  })

test.each([
  [{}, [true, true, true, true, true, true]],
  [{ startsAt: 5 }, [false, false, false, false, true, true]],
  [{ endsAt: 5 }, [false, false, true, true, false, false]],
  [{ startsAt: 5, endsAt: 6 }, [false, false, false, false, true, false]],
])(
  "a group with %o is in force from its start until before its end, whenever that is",
  (dates, wanted) => {
    const times = [undefined, null, -5, 4, 5, 6]
    const order = { id: "1", currency: "USD", items: [] }
    expect(times.map((createdAt) => inForce({ ...order, createdAt }, group(dates)))).toEqual(wanted)
  },
)
