import { execFile } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { systemClock } from "../../server/system-clock.ts";
import type { Command } from "../command.ts";
import { working } from "../progress.ts";
import { refused } from "../refused.ts";
import { collect, type Piece } from "../support/collect.ts";
import { bundleRedaction } from "../support/redaction.ts";

export const support: Command = {
  name: "support",
  summary: "write a bundle, without secrets, that you can send to somebody who helps you",
  usage: "flotilla support [--to path] [--log file] [--bodies]",
  details: [
    "Contains versions, what doctor finds, the configuration, the database schema with row counts, and the newest decisions, transitions, effects and deliveries. It removes every known secret and everything that looks like a token. It leaves out what people, models and GitHub wrote, except reasons and errors; names of repositories, people and branches stay. It sends nothing: read the bundle before you pass it on.",
  ],
  options: {
    to: {
      type: "string",
      value: "path",
      says: "where to write the bundle; must not exist yet; .tar.gz is added",
    },
    log: {
      type: "string",
      value: "file",
      says: "include the end of this log file, such as the output of journalctl",
    },
    bodies: { type: "boolean", says: "also include the texts of issues, comments and webhooks" },
  },
  examples: ["flotilla support", "flotilla support --log flotilla.log --to /tmp/flotilla-support"],
  async run(context) {
    const { cwd, options, print } = context;
    const time = new Date(systemClock.now()).toISOString().slice(0, 19).replaceAll(":", "-");
    const to = resolve(cwd, String(options["to"] ?? `flotilla-support-${time}Z`)).replace(/\.tar\.gz$/, "");
    const packed = `${to}.tar.gz`;
    const taken = [to, packed].find((path) => existsSync(path));
    if (taken !== undefined)
      return refused(context, `${taken} exists.`, "Name another path with --to.", "exists");
    const log = options["log"];
    const pieces = await working("everything is collected", async (progress) =>
      collect(
        context,
        {
          bodies: options["bodies"] === true,
          log: typeof log === "string" ? log : undefined,
          redact: await bundleRedaction(context),
        },
        progress,
      ),
    );
    write(to, pieces);
    const path = (await pack(to, packed)) ? packed : to;
    const contents = pieces.map(({ name, holds }) => ({ name, holds }));
    if (options["json"] === true) print(JSON.stringify({ path, contents }));
    else {
      print(
        `${path} has ${contents.length} files, which CONTENTS.txt in it lists. Nothing was sent anywhere: read it before you hand it on.`,
      );
    }
    return 0;
  },
};

function write(to: string, pieces: readonly Piece[]): void {
  mkdirSync(join(to, "rows"), { recursive: true, mode: 0o700 });
  chmodSync(to, 0o700);
  const index = pieces.map(({ name, holds }) => `${name}: ${holds}`).join("\n");
  const head =
    "A support bundle of Flotilla. Secrets were taken out; names of repositories and people were not.\n\n";
  for (const { name, text } of [{ name: "CONTENTS.txt", text: `${head}${index}\n` }, ...pieces])
    writeFileSync(join(to, name), text, { mode: 0o600, flag: "wx" });
}

/** Packs the directory into one file; returns false and keeps the directory where tar is missing. */
async function pack(from: string, to: string): Promise<boolean> {
  try {
    writeFileSync(to, "", { mode: 0o600, flag: "wx" });
    await promisify(execFile)("tar", ["-czf", to, "-C", dirname(from), basename(from)], {
      env: { PATH: process.env["PATH"] },
    });
  } catch (error) {
    rmSync(to, { force: true });
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return false;
    throw error;
  }
  rmSync(from, { recursive: true });
  return true;
}
