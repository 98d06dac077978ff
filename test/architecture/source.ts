import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";

/** A file of ours. `path` is relative to the repository, with slashes. */
export interface Source {
  readonly path: string;
  readonly text: string;
}

/** Every TypeScript file and README under the folders, fixtures apart. */
export function readSources(root: string, folders: readonly string[]): readonly Source[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .map((name) => `${folder}/${name.split(sep).join("/")}`)
      .filter((path) => /(\.ts|README\.md)$/.test(path) && !path.startsWith("test/fixtures/"))
      .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") })),
  );
}

/** Names at the top of the repository that git knows; none where there is no repository. */
export function topLevelEntries(root: string): readonly string[] {
  if (!existsSync(join(root, ".git"))) return [];
  const listed = execFileSync("git", ["-C", root, "ls-files", "-z"], { encoding: "utf8" });
  return [...new Set(listed.split("\0").flatMap((path) => path.split("/")[0] || []))];
}

/** Code without comments and without what stands between double quotes; positions are not kept. */
export function codeOnly(text: string): string {
  return text.replace(/"(?:\\.|[^"\\\n])*"|\/\*[\s\S]*?\*\/|\/\/.*$/gm, (found) =>
    found.startsWith('"') ? '""' : "",
  );
}

/** What a file imports, re-exports or loads, as written. */
export function importsOf(text: string): readonly string[] {
  const statement = /^\s*(?:import|export)\b[^"';]*?\bfrom\s*"([^"]+)"|^\s*import\s*"([^"]+)"/gm;
  const call = /\b(?:import|require)\(\s*["'`]([^"'`]+)["'`]/g;
  return [...text.matchAll(statement), ...text.matchAll(call)].flatMap(
    ([, from, bare]) => from ?? bare ?? [],
  );
}
