/** The environment of programs that tests start: what tests take from their own is no configuration of the program. */
export const programEnvironment: Readonly<Record<string, string | undefined>> = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.startsWith("APPORTION_")),
)
