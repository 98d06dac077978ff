import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Command } from "../../src/cli/command.ts";
import { agents } from "../../src/cli/commands/agents.ts";
import { startControl } from "../../src/server/control/control-server.ts";
import { labeled, tell } from "../engine/people.ts";
import { aRig, type Rig, type RigOptions } from "../engine/rig.ts";

const log = { debug() {}, info() {}, warn() {}, error() {} };
/** The agent of issue 1. */
export const KEY = "acme/shop:feat-dev-issue-1";

export interface Served {
  readonly rig: Rig;
  readonly say: (
    args: readonly string[],
    options?: Record<string, string | boolean>,
  ) => Promise<{ code: number; text: string }>;
  /** Ends the socket, as a stop of the serving process does. */
  readonly end: () => Promise<void>;
  readonly begin: () => Promise<void>;
  /** The data directory, where the socket lies. */
  readonly dataDir: string;
}

const sweep = async () => ({ asked: 0, later: 0 });
const onboard = () => Promise.reject(new Error("nobody asks this here"));

/** A rig's engine behind a control socket, once issue 1 was labeled and nothing is under way any more. */
export function served(options: RigOptions, command: Command = agents): Promise<Served> {
  return servedOver(async (more) => {
    const rig = await aRig({ ...options, ...more });
    await tell(rig, labeled(rig, 1));
    return rig;
  }, command);
}

/** The same for a rig made with these options, which name a database file where the command reads one. */
export async function servedOver(
  make: (options: Pick<RigOptions, "database">) => Promise<Rig>,
  command: Command,
): Promise<Served> {
  const dataDir = mkdtempSync(join(tmpdir(), "agents-"));
  const rig = await make(command === agents ? {} : { database: join(dataDir, "flotilla.db") });
  const { store, engine } = rig;
  const start = () =>
    startControl({ dataDir, store, operations: engine.operations, poke: () => {}, onboard, sweep, log });
  let end = await start();
  onTestFinished(async () => {
    await end();
    rmSync(dataDir, { recursive: true });
  });
  return {
    rig,
    dataDir,
    async say(args, given = {}) {
      const lines: string[] = [];
      const env = { FLOTILLA_DATA_DIR: dataDir };
      const code = await command.run({
        env,
        cwd: "/",
        print: (line) => lines.push(line),
        complain: (line) => lines.push(line),
        options: given,
        args,
      });
      return { code, text: lines.join("\n") };
    },
    end: () => end(),
    begin: async () => {
      end = await start();
    },
  };
}
