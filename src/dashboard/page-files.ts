import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire, stripTypeScriptTypes } from "node:module";
import { bundledFile } from "../domain/settings/bundled-file.ts";
import { STYLE } from "./page-style.ts";

/** What a browser gets under a path; the path holds a hash of all of them, so each may be kept for ever. */
export interface PageFile {
  readonly type: string;
  readonly body: string;
}

export interface PageFiles {
  /** `/page/<hash>/`. */
  readonly base: string;
  /** By the part of the path after `base`. */
  readonly files: ReadonlyMap<string, PageFile>;
  /** The module that starts the page, as a name in `files`. */
  readonly main: string;
}

/** Libraries that the page imports, by the name in its code, and the file that a browser can read. */
const LIBRARIES = {
  preact: "vendor/preact.js",
  "preact/hooks": "vendor/preact-hooks.js",
  htm: "vendor/htm.js",
  "htm/preact": "vendor/htm-preact.js",
} as const;

const SCRIPT = "text/javascript; charset=utf-8";

/** Everything that the page is made of, read once: our modules without their types, and the libraries. */
export function readPageFiles(): PageFiles {
  const found = new Map<string, PageFile>();
  for (const [name, body] of [...ourModules(), ...libraries()]) found.set(name, { type: SCRIPT, body });
  found.set("style.css", { type: "text/css; charset=utf-8", body: STYLE });
  const hash = createHash("sha256");
  for (const [name, { body }] of found) hash.update(`${name}\n${body}\n`);
  const base = `/page/${hash.digest("hex").slice(0, 16)}/`;
  const files = new Map([...found].map(([name, file]) => [name, { ...file, body: linked(file, base) }]));
  return { base, files, main: files.has("main.ts") ? "main.ts" : "main.js" };
}

/** From a checkout they are TypeScript, from the package JavaScript; each imports the others as it was written. */
function ourModules(): readonly (readonly [string, string])[] {
  const names = readdirSync(pageFile("")).filter(
    (name) => /\.(ts|js)$/.test(name) && !name.endsWith(".d.ts"),
  );
  return names.map((name) => {
    const text = readFileSync(pageFile(name), "utf8");
    return [name, name.endsWith(".ts") ? withoutTypes(text) : text];
  });
}

/** Where a file of the page lies, beside this one. */
function pageFile(name: string): URL {
  return bundledFile(`page/${name}`, import.meta.url);
}

function libraries(): readonly (readonly [string, string])[] {
  const { resolve } = createRequire(import.meta.url);
  return Object.entries(LIBRARIES).map(([name, path]) => [
    path,
    // The module beside the one that `require` finds; without the map, which is not served.
    readFileSync(resolve(name).replace(/\.js$/, ".mjs"), "utf8").replace(/^\/\/# sourceMappingURL=.*$/m, ""),
  ]);
}

/** A browser knows no package names: it gets the path of the library instead. */
function linked({ type, body }: PageFile, base: string): string {
  if (type !== SCRIPT) return body;
  return body.replace(/(\bfrom\s*|\bimport\s*)"([a-z/]+)"/g, (all: string, before: string, name: string) => {
    const path = Object.entries(LIBRARIES).find(([known]) => known === name)?.[1];
    return path === undefined ? all : `${before}"${base}${path}"`;
  });
}

/**
 * Node strips the types of our own code in the same way when it runs from a checkout, and says nothing of it; of this
 * function it says that it is experimental, which tells an operator nothing that they could act on.
 */
function withoutTypes(text: string): string {
  const emit = process.emitWarning.bind(process);
  process.emitWarning = () => {};
  try {
    return stripTypeScriptTypes(text);
  } finally {
    process.emitWarning = emit;
  }
}
