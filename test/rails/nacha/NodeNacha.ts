import { from } from "@midlandsbank/node-nacha"
import * as Schema from "effect/Schema"

const Counts = Schema.Struct({
  entryAndAddendaCount: Schema.Number,
  entryHash: Schema.Number,
  totalDebit: Schema.Number,
  totalCredit: Schema.Number,
})

const Entry = Schema.Struct({
  transactionCode: Schema.String,
  receivingDFIIdentification: Schema.Number,
  checkDigit: Schema.Number,
  dfiAccount: Schema.String,
  amount: Schema.Number,
  identificationNumber: Schema.String,
  receivingCompanyName: Schema.String,
  traceNumber: Schema.Number,
  addenda: Schema.Struct({ info: Schema.String, num: Schema.Number, entryNum: Schema.Number }),
})

const File = Schema.Struct({
  file: Schema.Struct({
    destination: Schema.String,
    origin: Schema.String,
    creationDate: Schema.String,
    creationTime: Schema.String,
    destinationName: Schema.String,
    originName: Schema.String,
    footer: Schema.Struct({
      ...Counts.fields,
      batchCount: Schema.Number,
      blockCount: Schema.Number,
    }),
  }),
  batches: Schema.Array(
    Schema.Struct({
      serviceClassCode: Schema.Number,
      entryClassCode: Schema.String,
      companyName: Schema.String,
      companyId: Schema.String,
      description: Schema.String,
      effectiveDate: Schema.String,
      originatingDFIIdentification: Schema.String,
      num: Schema.Number,
      entries: Schema.Array(Entry),
      footer: Schema.Struct({ ...Counts.fields, num: Schema.Number }),
    }),
  ),
})

/** An ACH file as a public parser reads it. */
export const parsed = (text: string): typeof File.Type =>
  Schema.decodeUnknownSync(File)(from(text).data)
