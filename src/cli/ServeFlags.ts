/** The flags of the server and of its tokens. */
import { Flag } from "effect/cli"
import { common, file, flag, kept, optionalText, text } from "./Flags.js"

/** The flags of a new access token. */
export const token = {
  name: optionalText(
    "name",
    "<text>",
    "Whose token it is, as alice: the name that the history of payouts shows; when absent it shows the beginning of the token's hash",
  ),
  scope: text(
    "scope",
    "<scope>",
    "What it may be used for: read, record (sales, refunds, products), manage (collaborators, product groups, webhook endpoints) or payouts; may be given more than once, everything when absent",
  ).pipe(Flag.atLeast(0)),
  file: optionalText(
    "file",
    "<file>",
    "The token file that the line is added to, so that only the token is printed",
  ),
}

/** The flags of the server. All values are checked together when it starts. */
export const serve = {
  host: text(
    "host",
    "<name>",
    "The name or address to listen on; 127.0.0.1 when absent, which only this computer can reach",
  ).pipe(Flag.withDefault("127.0.0.1")),
  port: text(
    "port",
    "<number>",
    "The port to listen on; 0 takes a free one; 8080 when absent",
  ).pipe(Flag.withDefault("8080")),
  token: text(
    "token",
    "<text>",
    "The access token that requests must carry, 16 characters or more; may be given more than once, each token is accepted. Without it the environment variable APPORTION_TOKEN is used",
  ).pipe(Flag.atLeast(0)),
  tokenFile: optionalText(
    "token-file",
    "<file>",
    'A file with a line for each access token: its SHA-256, and a name for the history of payouts. "apportion token" writes such lines. It is read again when it changes, and on SIGHUP',
  ),
  seed: file(
    "seed",
    'What an empty account is filled with at the start: {"collaborators": […], "products": […], "groups": […], "payouts": […]} (JSON; - is standard input)',
  ).pipe(Flag.optional),
  shops: file(
    "shops",
    "The shops whose webhooks are taken, with the secrets that sign them (JSON; - is standard input)",
  ).pipe(Flag.optional),
  policy: common.policy,
  maturityDays: text(
    "maturity-days",
    "<number>",
    "How many days after its sale a share can be closed, 0 to 3650; 0 when absent",
  ).pipe(Flag.withDefault("0")),
  historyMonths: text(
    "history-months",
    "<number>",
    "After how many months old history that nobody needs is removed, once a day: 1 to 1200, or 0 for never; 0 when absent",
  ).pipe(Flag.withDefault("0")),
  rates: file(
    "rates",
    "Exchange rates from the orders' currencies to the collaborators' (JSON, NDJSON or CSV with from, to, rate, from_date); when absent, an order in another currency than its collaborator's is refused",
  ).pipe(Flag.optional),
  logFormat: text(
    "log-format",
    "<text|json>",
    "How the lines of the log on standard error are written; text when absent",
  ).pipe(Flag.withDefault("text")),
  logLevel: text(
    "log-level",
    "<level>",
    "The lowest level that is logged: debug, info, warning, error or off; info when absent",
  ).pipe(Flag.withDefault("info")),
  metricsPort: optionalText(
    "metrics-port",
    "<number>",
    "A port of its own on which /metrics answers Prometheus, without a token; 0 takes a free one. When absent there are no metrics",
  ),
  metricsHost: text(
    "metrics-host",
    "<name>",
    "The name or address that --metrics-port is on; 127.0.0.1 when absent, which only this computer can reach",
  ).pipe(Flag.withDefault("127.0.0.1")),
  otlp: optionalText(
    "otlp",
    "<url>",
    "The collector to which the log, the metrics and the traces are sent by OTLP over HTTP, as http://localhost:4318; nowhere when absent",
  ),
  rate: text(
    "rate",
    "<number>",
    "How many requests a minute each token may make, and each address without a valid token; 60 when absent",
  ).pipe(Flag.withDefault("60")),
  publicUrl: optionalText(
    "public-url",
    "<url>",
    "The address under which clients reach the API, as https://api.example.com, for the links in responses; when absent they use the Host header of each request",
  ),
  proxies: text(
    "proxies",
    "<number>",
    "How many proxies a request comes through: each adds an address to X-Forwarded-For, and the client's is counted from the end; 0 when absent, which ignores that header",
  ).pipe(Flag.withDefault("0")),
  drain: text(
    "drain",
    "<seconds>",
    "For how many seconds requests are still answered after SIGTERM, while /ready answers 503; 5 when absent",
  ).pipe(Flag.withDefault("5")),
  ...kept,
  migrate: flag("migrate", "Bring the tables of the server's database up to date first"),
  closeDueEvery: optionalText(
    "close-due-every",
    "<seconds>",
    "Close the payouts that are due at the start, and again after every so many seconds; when absent a due payout is closed by the next change that reaches it",
  ),
  noPages: flag(
    "no-pages",
    "Serve the API alone, without the console at / and the playground at /playground/",
  ),
  webhooks: text(
    "webhooks",
    "<where>",
    "Where events are sent to by webhooks, as long as it serves: public (https to hosts of the internet), any (http and this machine and its network too, for tests and where everybody with a token may reach those), or off; public when absent",
  ).pipe(Flag.withDefault("public")),
}

/** The flags of a worker. */
export const worker = {
  databaseUrl: optionalText(
    "database-url",
    "<url>",
    "The database of the PostgreSQL server with the jobs, as postgres://user@host/database; when absent the environment variable APPORTION_DATABASE_URL is used, which keeps the password out of the list of processes",
  ),
  connections: kept.connections,
  host: text(
    "host",
    "<name>",
    "The address by which other workers reach this one; 127.0.0.1 when absent. Who reaches it can have it carry out jobs: it belongs into a network of its own",
  ).pipe(Flag.withDefault("127.0.0.1")),
  port: text(
    "port",
    "<number>",
    "The port by which other workers reach this one; 34431 when absent",
  ).pipe(Flag.withDefault("34431")),
  steps: text(
    "steps",
    "<number>",
    "How many accounts are worked for at a time in the database, 1 to 64; 4 when absent. Each takes a connection, beside four",
  ).pipe(Flag.withDefault("4")),
  calls: text(
    "calls",
    "<number>",
    "How many jobs that ask others are carried out at a time, 1 to 256; 16 when absent",
  ).pipe(Flag.withDefault("16")),
  closeDueEvery: optionalText(
    "close-due-every",
    "<seconds>",
    "Enqueue closing what is due in each account after every so many seconds, once for all workers; when absent it is not enqueued",
  ),
  webhooks: text(
    "webhooks",
    "<where>",
    "Where events of all accounts are sent to by webhooks, as with serve: public, any or off; off when absent",
  ).pipe(Flag.withDefault("off")),
  shops: serve.shops,
  policy: serve.policy,
  rates: serve.rates,
  maturityDays: serve.maturityDays,
  historyMonths: serve.historyMonths,
  logFormat: serve.logFormat,
  logLevel: serve.logLevel,
  metricsPort: serve.metricsPort,
  metricsHost: serve.metricsHost,
  otlp: serve.otlp,
}
