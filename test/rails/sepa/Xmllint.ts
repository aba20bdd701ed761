import { readFileSync } from "node:fs"
import { validateXML, type XMLFileInfo } from "xmllint-wasm"

const own: XMLFileInfo = {
  fileName: "credit-transfers.xsd",
  contents: readFileSync(new URL("./credit-transfers.xsd", import.meta.url), "utf8"),
}

/** The official schema, which may not be given on: who has it names its file. */
const officialFile = process.env.APPORTION_PAIN_001_XSD

const official: ReadonlyArray<XMLFileInfo> =
  officialFile === undefined
    ? []
    : [{ fileName: "official.xsd", contents: readFileSync(officialFile, "utf8") }]

/** What xmllint finds wrong with files of credit transfers, by the schema of these tests and the official one. */
export const faultsOf = async (files: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  const xml = files.map((contents, index) => ({ fileName: `file${index}.xml`, contents }))
  const found: Array<string> = []
  for (const schema of [own, ...official]) {
    const { valid, errors } = await validateXML({ xml, schema, maxMemoryPages: 4096 })
    if (!valid) found.push(...errors.map(({ message }) => `${schema.fileName}: ${message}`))
  }
  return found
}
