// Parts of a bench that run in processes of their own, so that none inherits the memory, or the habits of the
// compiler, from another one. A part is started as `node <module> <JSON of its arguments>` and answers in JSON.
import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

const execute = promisify(execFile)

/** Runs a part and resolves to its answer; when it fails, so does the whole run, with the part's words. */
export const runPart = async (module, args, { flags = [] } = {}) => {
  const program = [...flags, fileURLToPath(module), JSON.stringify(args)]
  try {
    const { stdout } = await execute(process.execPath, program, { maxBuffer: 1 << 26 })
    return JSON.parse(stdout)
  } catch (error) {
    console.error(error.stderr || error)
    process.exit(1)
  }
}

/** The arguments of this part. */
export const partArguments = () => JSON.parse(process.argv[2] ?? "{}")

/** Gives the part's answer. */
export const answerPart = (answer) => process.stdout.write(JSON.stringify(answer))
