import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { replay } from "../../../src/cli/commands/replay.ts";
import { DECLARED } from "../../../src/cli/declared.ts";
import { readSettings } from "../../../src/config/read-settings.ts";
import { FAST_DIRECTORY } from "../../factories/fast-directory.ts";
import { BOT } from "../../fakes/github-world.ts";
import { lifeOf } from "../../order/life.ts";
import { live } from "../../order/live.ts";
import { LIVES } from "../../order/lives.ts";

const ROLE = "prompt: feat-dev.md, lifecycle: persistent";
const CONFIG = [
  "project: { name: acme }",
  'repositories: ["acme/*"]',
  'runtime: { provider: { type: openai, base_url: "http://127.0.0.1:9/v1", api_key_env: MODEL_API_KEY } }',
  `roles: { feat-dev: { ${ROLE}, triggers: [{ event: issues.labeled, label: feature }] } }`,
  "evidence: { required_checks: [lint] }",
  "sandbox: { mode: none }",
];
const ENV = { MODEL_API_KEY: "key-of-the-model" };

/** A data directory that is a working directory too, with the record of one life in it. */
export interface Home {
  readonly cwd: string;
  readonly database: string;
  /** Another configuration: these lines take the place of those with the same key. */
  readonly other: (...lines: readonly string[]) => string;
  readonly say: (
    args: readonly string[],
    options?: Readonly<Record<string, string | boolean>>,
  ) => Promise<{ readonly code: number; readonly text: string }>;
  /** Of the database file. */
  readonly digest: () => string;
  readonly remove: () => void;
}

/** A question is asked and answered in it. */
const LIFE = "asked-and-answered";

/**
 * Lives a recorded life by that configuration, and leaves its database as a process that ended does. `own` is the
 * repository's file: then the configuration starts its role by no label of that life.
 */
export async function aHome(own?: string): Promise<Home> {
  const told = LIVES.find(({ name }) => name === LIFE);
  if (told === undefined) throw new Error(`there is no life ${LIFE}`);
  const config =
    own === undefined
      ? CONFIG
      : CONFIG.map((line) => (line.startsWith("roles:") ? LABELLED_OTHERWISE : line));
  const cwd = mkdtempSync(join(FAST_DIRECTORY, "flotilla-replay-"));
  const database = join(cwd, "flotilla.db");
  const path = join(cwd, "config.yaml");
  writeFileSync(path, config.join("\n"));
  writeFileSync(
    join(cwd, "identity.json"),
    JSON.stringify({ slug: "flotilla", appId: 1, botLogin: BOT.login, botId: BOT.id }),
  );
  const { settings, faults } = readSettings({ path, cwd, variables: ENV, ...DECLARED });
  if (settings === undefined) throw new Error(faults.join("\n"));
  await live(lifeOf(told.name), told, "as sent", {
    database,
    settings,
    before: ({ repository }) => void (own && repository.files.set(".github/flotilla.yml", own)),
  });
  let files = 0;
  return {
    cwd,
    database,
    other(...lines) {
      files += 1;
      const name = `other-${files}.yaml`;
      const keys = lines.map((line) => line.split(":")[0] ?? "");
      const kept = config.filter((line) => !keys.includes(line.split(":")[0] ?? ""));
      writeFileSync(join(cwd, name), [...kept, ...lines].join("\n"));
      return name;
    },
    async say(args, options = {}) {
      const lines: string[] = [];
      const env = { ...ENV, FLOTILLA_DATA_DIR: cwd };
      const code = await replay.run({
        env,
        cwd,
        print: (line) => lines.push(line),
        complain: (line) => lines.push(line),
        options,
        args,
      });
      return { code, text: lines.join("\n") };
    },
    digest: () => createHash("sha256").update(readFileSync(database)).digest("hex"),
    remove: () => rmSync(cwd, { recursive: true }),
  };
}

/** Roles of the configuration with another one for the label. */
export const LABELLED_OTHERWISE = `roles: { feat-dev: { ${ROLE}, triggers: [{ event: issues.labeled, label: later }] } }`;
