import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { text } from "node:stream/consumers";

/**
 * What a clone of this repository would hold, as it stands now, in an empty directory; `npm install` is replaced by a link
 * to what is installed here. The caller removes it.
 */
export function aCopy(): string {
  const directory = mkdtempSync(join(tmpdir(), "flotilla-copy-"));
  const files = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    encoding: "utf8",
  });
  for (const file of files.split("\0").filter((path) => path !== "" && path !== "node_modules")) {
    mkdirSync(join(directory, dirname(file)), { recursive: true });
    cpSync(file, join(directory, file));
  }
  symlinkSync(resolve("node_modules"), join(directory, "node_modules"));
  return directory;
}

/** Runs a line in a shell with what npm scripts and `npx` find, to its end. */
export async function runLine(
  line: string,
  options: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): Promise<{ readonly code: number | null; readonly output: string }> {
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn("bash", ["-c", `exec 2>&1; ${line}`], {
    cwd: options.cwd,
    env: { PATH: `${join(options.cwd, "node_modules/.bin")}:${PATH}`, HOME, ...options.env },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const ended = new Promise<number | null>((done, failed) => {
    child.once("error", failed);
    child.once("close", done);
  });
  const [output, code] = await Promise.all([text(child.stdout), ended]);
  return { code, output };
}
