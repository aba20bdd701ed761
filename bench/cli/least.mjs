// The least that has to be done with a file of orders in JSON and their splits in JSON: each order's line through
// JSON.parse, and a split through JSON.stringify for each. The splits are those of the first orders, made before, taken
// again and again; nothing is worked out and nothing is checked.
import { createReadStream, readFileSync } from "node:fs"
import { promisify } from "node:util"

const [orders, splits] = process.argv.slice(2)
const made = readFileSync(splits, "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line))
const write = promisify(process.stdout.write.bind(process.stdout))
const newline = 10

let rest = Buffer.alloc(0)
let output = ""
let count = 0
let items = 0

const take = (line) => {
  items += JSON.parse(line).items.length
  output += `${JSON.stringify(made[count % made.length])}\n`
  count += 1
}

for await (const chunk of createReadStream(orders, { highWaterMark: 1 << 18 })) {
  const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
  let start = 0
  for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
    take(bytes.toString("utf8", start, end))
    start = end + 1
  }
  rest = bytes.subarray(start)
  if (output.length < 1 << 16) continue
  await write(output)
  output = ""
}
await write(output)
if (items < count) throw new Error("an order has no items")
