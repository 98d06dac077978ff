import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire, stripTypeScriptTypes } from "node:module";
import { bundledFile } from "../domain/settings/bundled-file.ts";
import { AGENT_STYLE } from "./agent-style.ts";
import { FORM_STYLE } from "./form-style.ts";
import { FRAME_STYLE } from "./frame-style.ts";
import { STYLE } from "./page-style.ts";
import { RECORDS_STYLE } from "./records-style.ts";

/** A file that the browser loads. Its path contains a hash of all files, so the browser may cache it forever. */
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
  /** The module that is loaded before anything is drawn. */
  readonly first: string;
}

/** Libraries that the page imports: the name in our code, and the file that the browser loads. */
const LIBRARIES = {
  preact: "vendor/preact.js",
  "preact/hooks": "vendor/preact-hooks.js",
  htm: "vendor/htm.js",
  "htm/preact": "vendor/htm-preact.js",
} as const;

const SCRIPT = "text/javascript; charset=utf-8";

/** Reads all files of the page once: our modules without their types, and the libraries. */
export function readPageFiles(): PageFiles {
  const found = new Map<string, PageFile>();
  for (const [name, body] of [...ourModules(), ...libraries()]) found.set(name, { type: SCRIPT, body });
  const style = STYLE + FRAME_STYLE + AGENT_STYLE + FORM_STYLE + RECORDS_STYLE;
  found.set("style.css", { type: "text/css; charset=utf-8", body: style });
  const hash = createHash("sha256");
  for (const [name, { body }] of found) hash.update(`${name}\n${body}\n`);
  const base = `/page/${hash.digest("hex").slice(0, 16)}/`;
  const files = new Map([...found].map(([name, file]) => [name, { ...file, body: linked(file, base) }]));
  const ending = files.has("main.ts") ? "ts" : "js";
  return { base, files, main: `main.${ending}`, first: `theme.${ending}` };
}

/**
 * Reads our own modules: TypeScript in a checkout, JavaScript in the package. Imports keep their file extension in
 * both.
 */
function ourModules(): readonly (readonly [string, string])[] {
  const names = readdirSync(pageFile("")).filter(
    (name) => /\.(ts|js)$/.test(name) && !name.endsWith(".d.ts"),
  );
  return names.map((name) => {
    const text = readFileSync(pageFile(name), "utf8");
    return [name, name.endsWith(".ts") ? withoutTypes(text) : text];
  });
}

/** Returns the address of a file of the page. */
function pageFile(name: string): URL {
  return bundledFile(`page/${name}`, import.meta.url);
}

function libraries(): readonly (readonly [string, string])[] {
  const { resolve } = createRequire(import.meta.url);
  return Object.entries(LIBRARIES).map(([name, path]) => [
    path,
    // Reads the ES module next to the file that `require` resolves to. Removes the reference to its source map, which
    // is not served.
    readFileSync(resolve(name).replace(/\.js$/, ".mjs"), "utf8").replace(/^\/\/# sourceMappingURL=.*$/m, ""),
  ]);
}

/** Replaces package names in imports by the paths of the libraries, because a browser cannot resolve package names. */
function linked({ type, body }: PageFile, base: string): string {
  if (type !== SCRIPT) return body;
  return body.replace(/(\bfrom\s*|\bimport\s*)"([a-z/]+)"/g, (all: string, before: string, name: string) => {
    const path = Object.entries(LIBRARIES).find(([known]) => known === name)?.[1];
    return path === undefined ? all : `${before}"${base}${path}"`;
  });
}

/**
 * Strips the types. Suppresses the experimental warning of this function, because operators cannot act on it; Node
 * strips the types of our other code in the same way without a warning.
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
