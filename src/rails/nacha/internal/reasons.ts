/** The reasons for which credits are returned. */
const returns: Readonly<Record<string, string>> = {
  ...{ R02: "account closed", R03: "no account, or not found", R04: "wrong account number" },
  ...{ R06: "returned as the sender's bank asked", R09: "uncollected funds", R12: "branch sold" },
  ...{ R13: "wrong routing number", R14: "payee deceased", R15: "account holder deceased" },
  ...{
    R16: "account frozen",
    R17: "entry could not be processed",
    R20: "no account for transfers",
  },
  ...{ R21: "wrong company id", R22: "wrong receiver's id", R23: "refused by the receiver" },
  ...{ R24: "duplicate entry", R29: "company did not authorize it", R31: "returned as agreed" },
  ...{ R34: "receiving bank's part is limited", R84: "not processed by the gateway" },
}

/** The corrections that banks ask for. */
const changes: Readonly<Record<string, string>> = {
  ...{ C01: "account number", C02: "routing number", C03: "routing and account number" },
  ...{ C04: "receiver's name", C05: "kind of account", C06: "account number and kind of account" },
  ...{ C07: "routing number, account number and kind of account", C09: "receiver's id" },
}

const joined = (parts: ReadonlyArray<string | undefined>): string =>
  parts.filter((part) => part !== undefined && part !== "").join(": ")

/** A reason as its code and words, with the bank's own text. */
export const returnReason = (code: string, information: string): string =>
  joined([Object.hasOwn(returns, code) ? `${code} ${returns[code]}` : code, information])

/** A correction as its code and words, with the correct value. */
export const changeReason = (code: string, information: string): string =>
  joined([Object.hasOwn(changes, code) ? `${code} other ${changes[code]}` : code, information])
