/**
 * The pages for browsers: each folder of `src/web` with an `index.html` becomes a folder of `dist/web`, with its
 * scripts and styles in one file each. Run by the build.
 */
import { cpSync, existsSync, globSync, mkdirSync, readdirSync } from "node:fs"
import { basename, join } from "node:path"
import { build } from "esbuild"
import { writeNoticesOf } from "./notices.js"

const sources = "src/web"
const target = "dist/web"

/** What the page loads: `page` at once, the others when they are needed. */
const scriptsOf = (folder: string): ReadonlyArray<string> =>
  ["page.tsx", "editor.ts", "style.css"]
    .map((name) => join(sources, folder, name))
    .filter((path) => existsSync(path))

/**
 * Classic scripts, not modules: a browser loads no module from a file. Each script stands by itself, so nothing is
 * shared but what the page hands over.
 */
const buildFolder = async (folder: string): Promise<void> => {
  const { metafile } = await build({
    entryPoints: [...scriptsOf(folder)],
    outdir: join(target, folder),
    bundle: true,
    minify: true,
    format: "iife",
    platform: "browser",
    target: ["es2022", "chrome115", "firefox115", "safari16.4"],
    jsx: "automatic",
    jsxImportSource: "preact",
    define: { "process.env.NODE_ENV": '"production"' },
    legalComments: "none",
    metafile: true,
    logLevel: "warning",
  })
  for (const page of globSync(join(sources, folder, "*.html"))) {
    cpSync(page, join(target, folder, basename(page)))
  }
  writeNoticesOf(join(target, folder), metafile, `This page (${target}/${folder})`)
}

/** The playground beside the pages that tell of it, as one folder to open or to publish. */
const copyPlayground = (): void => {
  mkdirSync("docs/playground", { recursive: true })
  cpSync(join(target, "playground"), "docs/playground", { recursive: true })
}

/** Builds all pages. */
export const buildPages = async (): Promise<void> => {
  const folders = readdirSync(sources).filter((name) =>
    existsSync(join(sources, name, "index.html")),
  )
  await Promise.all(folders.map(buildFolder))
  copyPlayground()
}
