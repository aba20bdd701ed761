/** Answers of banks as they are written: the parts that differ are filled in. */

export const report = (inside: string, version = "10"): string =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.${version}">`,
    "<CstmrPmtStsRpt>",
    "<GrpHdr><MsgId>REPORT-1</MsgId><CreDtTm>2026-11-20T09:30:00+01:00</CreDtTm></GrpHdr>",
    inside,
    "</CstmrPmtStsRpt>",
    "</Document>",
  ].join("\n")

export const group = (inside: string, id = "payouts-2026-11"): string =>
  `<OrgnlGrpInfAndSts><OrgnlMsgId>${id}</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.09</OrgnlMsgNmId>${inside}</OrgnlGrpInfAndSts>`

export const information = (inside: string, id = "payouts-2026-11"): string =>
  `<OrgnlPmtInfAndSts><OrgnlPmtInfId>${id}</OrgnlPmtInfId>${inside}</OrgnlPmtInfAndSts>`

export const transaction = (id: string, status: string, inside = ""): string =>
  `<TxInfAndSts><OrgnlEndToEndId>${id}</OrgnlEndToEndId><TxSts>${status}</TxSts>${inside}</TxInfAndSts>`

export const because = (code: string, ...words: ReadonlyArray<string>): string =>
  `<StsRsnInf><Rsn><Cd>${code}</Cd></Rsn>${words.map((each) => `<AddtlInf>${each}</AddtlInf>`).join("")}</StsRsnInf>`

const account =
  "<Id>STATEMENT-1</Id><CreDtTm>2026-11-21T01:00:00Z</CreDtTm><Acct><Id><IBAN>NL91ABNA0417164300</IBAN></Id></Acct>" +
  '<Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">1.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-11-20</Dt></Dt></Bal>'

export const statement = (...entries: ReadonlyArray<string>): string =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08">',
    "<BkToCstmrStmt>",
    "<GrpHdr><MsgId>M-1</MsgId><CreDtTm>2026-11-21T01:00:00Z</CreDtTm></GrpHdr>",
    `<Stmt>${account}`,
    ...entries,
    "</Stmt>",
    "</BkToCstmrStmt>",
    "</Document>",
  ].join("\n")

/** A movement of the account. What is not said is a booked debit of 100.00 euros. */
export interface Movement {
  readonly amount?: string
  readonly direction?: "CRDT" | "DBIT"
  readonly status?: string
  readonly isReversal?: boolean
  readonly code?: string
  /** What stands in the details of the entry. */
  readonly details?: string
}

export const entry = ({
  amount = "100.00",
  direction = "DBIT",
  status = "BOOK",
  isReversal = false,
  code = "ESCT",
  details = "",
}: Movement): string =>
  [
    `<Ntry><NtryRef>N-1</NtryRef><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${direction}</CdtDbtInd>`,
    isReversal ? "<RvslInd>true</RvslInd>" : "",
    `<Sts><Cd>${status}</Cd></Sts><BookgDt><Dt>2026-11-20</Dt></BookgDt><AcctSvcrRef>BANK-1</AcctSvcrRef>`,
    `<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>ICDT</Cd><SubFmlyCd>${code}</SubFmlyCd></Fmly></Domn></BkTxCd>`,
    details === "" ? "" : `<NtryDtls>${details}</NtryDtls>`,
    "</Ntry>",
  ].join("")

/** The details of one payment. What follows the references stands in `inside`. */
export const details = (id: string, inside = ""): string =>
  `<TxDtls><Refs><EndToEndId>${id}</EndToEndId></Refs>${inside}</TxDtls>`
