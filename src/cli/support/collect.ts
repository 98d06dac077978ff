import { closeSync, fstatSync, openSync, readFileSync, readSync } from "node:fs";
import { arch, platform, release } from "node:os";
import { resolve } from "node:path";
import { agentDirectory, installedVersion } from "../../adapters/runtimes/acp/installed.ts";
import { PRESETS } from "../../adapters/runtimes/acp/presets/presets.ts";
import { RUNTIMES } from "../../adapters/runtimes/registry.ts";
import { findBubblewrap } from "../../adapters/sandbox/find-bubblewrap.ts";
import type { Redact } from "../../domain/access/redact.ts";
import { messageOf } from "../../domain/kernel/errors.ts";
import { ownVersion } from "../../server/own-version.ts";
import type { CommandContext } from "../command.ts";
import { databaseOf, dataDirectory } from "../data-directory.ts";
import { examine } from "../doctor/examine.ts";
import type { Progress } from "../progress.ts";

const NEWEST_ROWS = 500;
const LOG_BYTES = 2 * 1024 * 1024;
/** Variables of ours without secret values; for all others the bundle says only whether they are set. */
const TOLD = new Set(
  "APP_ID FLOTILLA_CONFIG FLOTILLA_DATA_DIR GHE_HOST GHE_PROTOCOL HOST LOG_FORMAT LOG_LEVEL PORT PRIVATE_KEY_PATH".split(
    " ",
  ),
);
const OURS =
  /^(?:APP_ID|PRIVATE_KEY|WEBHOOK_SECRET|GHE_|HOST$|PORT$|FLOTILLA_|DASHBOARD_|LOG_|OTEL_|HTTPS?_PROXY|NO_PROXY)/;

/** One file of the bundle. */
export interface Piece {
  /** Path in the bundle. */
  readonly name: string;
  /** Description of the content for people. */
  readonly holds: string;
  readonly text: string;
}

/** Returns the whole content of the bundle, each text redacted as a whole. An unreadable part says why. */
export async function collect(
  context: Pick<CommandContext, "env" | "cwd">,
  options: { readonly bodies: boolean; readonly log: string | undefined; readonly redact: Redact },
  { show }: Progress,
): Promise<readonly Piece[]> {
  const { env, cwd } = context;
  const database = databaseOf(context);
  show("the doctor looks");
  const { findings } = await examine({ env, cwd, options: {}, args: [] }, { show }).catch(
    (error: unknown) => ({
      findings: [{ failed: messageOf(error) }],
    }),
  );
  show("the database is read");
  const rows = (await database.exists())
    ? await database.supportRows({ newest: NEWEST_ROWS, bodies: options.bodies }).catch(notRead)
    : "none";
  const read = typeof rows === "string" ? undefined : rows;
  const counts = [...(read?.tables ?? [])].map(([table, { count }]) => [table, count] as const);
  const what = options.bodies ? "whole" : "without what people, models or GitHub wrote";
  const pieces: readonly Piece[] = [
    {
      name: "versions.json",
      holds: "versions of Flotilla and of what it runs on",
      text: json(versions({ [database.kind]: read?.version ?? null }, dataDirectory(context))),
    },
    { name: "doctor.json", holds: "what `flotilla doctor` finds", text: json(findings) },
    {
      name: "config.yaml",
      holds: "the configuration; keys never stand in it",
      text: or(() => readFileSync(resolve(cwd, env["FLOTILLA_CONFIG"] || "config.yaml"), "utf8")),
    },
    {
      name: "environment.json",
      holds: "which variables of Flotilla are set; values of those that are no secret",
      text: json(variables(env)),
    },
    {
      name: "database.json",
      holds: "how many rows each table has",
      text: typeof rows === "string" ? rows : json(Object.fromEntries(counts)),
    },
    { name: "schema.sql", holds: "the form of the database", text: read?.schema.join("\n") ?? "" },
    ...[...(read?.tables ?? [])].map(([table, found]) => ({
      name: `rows/${table}.jsonl`,
      holds: `the newest ${NEWEST_ROWS} rows of ${table}, ${what}`,
      text: found.rows.map((row) => JSON.stringify(row)).join("\n"),
    })),
    ...(options.log === undefined
      ? []
      : [
          {
            name: "log.jsonl",
            holds: "the end of the log",
            text: or(() => tail(resolve(cwd, options.log ?? ""))),
          },
        ]),
  ];
  return pieces.map((piece) => ({ ...piece, text: `${options.redact(piece.text)}\n` }));
}

function versions(database: Readonly<Record<string, string | null>>, dataDir: string): object {
  return {
    flotilla: ownVersion(),
    node: process.versions.node,
    ...database,
    runtimes: {
      ...Object.fromEntries(RUNTIMES.map(({ name, version }) => [name, or(version)])),
      ...Object.fromEntries(
        [...PRESETS.values()].map((preset) => [
          preset.name,
          installedVersion(preset, agentDirectory(dataDir, preset.name)),
        ]),
      ),
    },
    bubblewrap: findBubblewrap(process.env["PATH"] ?? ""),
    system: `${platform()} ${release()} ${arch()}`,
  };
}

function variables(env: CommandContext["env"]): object {
  const ours = Object.entries(env).filter(
    ([name, value]) => OURS.test(name) && value !== undefined && value !== "",
  );
  return Object.fromEntries(ours.map(([name, value]) => [name, TOLD.has(name) ? value : "(set)"]));
}

/** Returns the content, or why it could not be read. */
function or<T>(read: () => T): T | string {
  try {
    return read();
  } catch (error) {
    return notRead(error);
  }
}

function notRead(error: unknown): string {
  return `(not read: ${messageOf(error)})`;
}

function json(value: object): string {
  return JSON.stringify(value, null, 2);
}

/** Returns the last lines of a file, which may be long. */
function tail(path: string): string {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    const start = Math.max(0, size - LOG_BYTES);
    const buffer = Buffer.alloc(size - start);
    readSync(file, buffer, 0, buffer.length, start);
    const text = buffer.toString("utf8");
    // A cut line may end in half a secret, which the redaction would not recognize.
    return start === 0 ? text : text.slice(text.indexOf("\n") + 1);
  } finally {
    closeSync(file);
  }
}
