/** The account of the command line: every token opens it, and every command works on it. */
export const accountId = "default"
