/**
 * Checks the Dockerfile: with a linter, by rules of its own, and by running what the image would have, put together in a
 * folder. Where a container engine answers, it builds the image and waits until it is healthy.
 */
import { spawn, spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { DockerfileParser } from "dockerfile-ast"
import { validate } from "dockerfile-utils"

const text = readFileSync("Dockerfile", "utf8")
const problems = validate(text).map(({ message, range }) => `${range.start.line + 1}: ${message}`)

// Rules.

const file = DockerfileParser.parse(text)
const all = file.getInstructions()
const froms = file.getFROMs()
const last = froms.at(-1)?.getRange()?.start.line ?? 0
const inLast = (keyword) =>
  all.filter((one) => one.getKeyword() === keyword && one.getRange().start.line > last)
const argumentsOf = (one) => one?.getArguments().map((argument) => argument.getValue()) ?? []
const rule = (holds, message) => {
  if (!holds) problems.push(message)
}

rule(froms.length > 1, "the image is not built in stages")
for (const from of froms) {
  const tag = from.getImageTag()
  rule(tag !== undefined && tag !== null && tag !== "latest", `${from.getImage()}: has no version`)
}
const [user = "root"] = argumentsOf(inLast("USER").at(-1))
rule(!/^(?:root|0)(?::|$)/.test(user), "the server runs as root")
rule(/^\d+/.test(user), "the user has no number, which is needed to see that it is not root")
rule(inLast("HEALTHCHECK").length === 1, "there is no health check")
for (const keyword of ["ENTRYPOINT", "CMD"]) {
  const [first = ""] = argumentsOf(inLast(keyword)[0])
  rule(first.startsWith("["), `${keyword} is run by a shell, which passes no signals on`)
}
const copies = inLast("COPY")
const fromStage = (copy) => copy.getFlags().some((flag) => flag.getName() === "from")
rule(copies.every(fromStage), "something gets into the image that did not come from the build")
const secret = /token|secret|password|database_url/i
for (const one of all.filter((each) => ["ENV", "ARG"].includes(each.getKeyword()))) {
  rule(!secret.test(argumentsOf(one).join(" ")), "a secret would stay in a layer")
}
rule(!all.some((one) => one.getKeyword() === "ADD"), "ADD takes more than it says: use COPY")

const ignored = readFileSync(".dockerignore", "utf8").split("\n")
rule(ignored.find((line) => line !== "" && !line.startsWith("#")) === "*", ".dockerignore lets in")
for (const line of ignored.filter((each) => each.startsWith("!"))) {
  rule(existsSync(line.slice(1)), `.dockerignore: there is no ${line.slice(1)}`)
}

const fail = (messages) => {
  for (const message of messages) console.error(`Dockerfile: ${message}`)
  process.exit(1)
}
if (problems.length > 0) fail(problems)
console.log(`Dockerfile: ${all.length} instructions, nothing to say of them`)

// What the image has, in a folder.

const parsedArray = (one) => JSON.parse(argumentsOf(one).join(" "))
const settings = Object.fromEntries(
  inLast("ENV").flatMap((one) =>
    one.getProperties().map((property) => [property.getName(), property.getValue()]),
  ),
)

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })

const healthCommand = () => {
  const [check] = inLast("HEALTHCHECK")
  const line = check.getTextContent().replace(/\\\n\s*/g, "")
  return JSON.parse(line.slice(line.indexOf("CMD") + 3))
}

const runFolder = async () => {
  if (!existsSync("dist/cli/main.js")) fail(["dist is missing: npm run build makes it"])
  const folder = mkdtempSync(join(tmpdir(), "apportion-image-"))
  for (const copy of copies) {
    const [from, to] = argumentsOf(copy).slice(-2)
    if (!from.startsWith("/build/")) continue
    const source = from.slice("/build/".length)
    cpSync(source, join(folder, to === "./" ? source : to), { recursive: true, dereference: true })
  }
  const port = String(await freePort())
  const env = {
    ...{ PATH: process.env.PATH, ...settings, APPORTION_PORT: port },
    ...{ APPORTION_DATA: join(folder, "data"), APPORTION_TOKEN: "token-of-this-check" },
  }
  const run = (command) => [command[0] === "node" ? process.execPath : command[0], command.slice(1)]
  const command = [...parsedArray(inLast("ENTRYPOINT")[0]), ...parsedArray(inLast("CMD")[0])]
  const [program, args] = run(command)
  const server = spawn(program, args, { cwd: folder, env, stdio: ["ignore", "ignore", "pipe"] })
  let said = ""
  server.stderr.setEncoding("utf8").on("data", (piece) => {
    said += piece
  })
  const isHealthy = () => {
    const [checker, checks] = run(healthCommand())
    return spawnSync(checker, checks, { cwd: folder, env }).status === 0
  }
  let healthy = false
  for (let tries = 0; tries < 60 && !healthy && server.exitCode === null; tries++) {
    await wait(1_000)
    healthy = isHealthy()
  }
  if (server.exitCode === null) {
    server.kill("SIGINT")
    await new Promise((resolve) => server.once("exit", resolve))
  }
  const seesTheEnd = !isHealthy()
  rmSync(folder, { recursive: true, force: true })
  if (!healthy) fail([`what the image has does not serve: ${said.slice(-500)}`])
  if (!seesTheEnd) fail(["the health check finds a server that has ended healthy"])
  console.log("Dockerfile: what the image has serves, and its health check says so")
}

await runFolder()

// The image.

const docker = (...args) => spawnSync("docker", args, { encoding: "utf8", timeout: 1_200_000 })

const runImage = async () => {
  if (docker("info").status !== 0) {
    console.log("Dockerfile: not built, for no container engine answers here")
    return
  }
  const image = "apportion-check"
  const built = docker("build", "--tag", image, ".")
  if (built.status !== 0) fail([`the image can't be built: ${built.stderr.slice(-2_000)}`])
  const token = ["--env", "APPORTION_TOKEN=token-of-this-check"]
  const { stdout } = docker(
    "run",
    "--detach",
    "--rm",
    "--read-only",
    "--tmpfs",
    "/tmp",
    ...token,
    image,
  )
  const id = stdout.trim()
  let status = "starting"
  for (let tries = 0; tries < 60 && status === "starting"; tries++) {
    await wait(2_000)
    status = docker("inspect", "--format", "{{.State.Health.Status}}", id).stdout.trim()
  }
  const whoami = docker("exec", id, "id", "-u").stdout.trim()
  docker("stop", id)
  docker("image", "rm", image)
  if (status !== "healthy") fail([`the container is ${status}`])
  if (whoami !== "1000") fail([`the container runs as ${whoami}`])
  console.log("Dockerfile: the image is built, and healthy")
}

await runImage()
