import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { createWorktrees } from "../../../src/adapters/git/worktree/create-worktrees.ts";
import type { Level } from "../../../src/domain/access/level.ts";
import type { AtCrashPoint } from "../../../src/domain/kernel/crash-points.ts";
import type { Log } from "../../../src/domain/ports/log.ts";
import type { Isolation } from "../../../src/domain/ports/runner.ts";
import { FILES, type WorktreesHarness } from "../../contracts/worktrees-harness.ts";
import { type GitServer, startGitServer } from "./http-server.ts";
import { isolationHere } from "./isolation-here.ts";
import { strangeUpdates } from "./strange-updates.ts";

/** Another in each process: what another test gives its children is none of ours. */
export const TOKEN = `ghs_${randomBytes(18).toString("hex")}`;

interface Restarted {
  readonly isolation?: Isolation;
  readonly token?: string;
  readonly serverUrl?: string;
  readonly level?: Level;
  readonly crashPoint?: AtCrashPoint;
}

/** The real adapter, a real server, and what the tests of one need of both. */
export interface RealHarness extends WorktreesHarness {
  readonly server: GitServer;
  /** `owner/name` on the server. */
  readonly fullName: string;
  readonly dataDir: string;
  readonly mirror: string;
  directory(name: string): string;
  /** Messages logged, by level. */
  readonly logged: { level: string; fields: object; message: string }[];
  /** A second adapter on the same data, as after a restart. */
  restart(options?: Restarted): RealHarness;
}

export async function realHarness(): Promise<RealHarness> {
  const root = await mkdtemp(join(tmpdir(), "flotilla-git-"));
  const server = await startGitServer(join(root, "server"), TOKEN);
  await server.createRepository("octo/app", FILES);
  return assemble(root, server, { token: TOKEN, serverUrl: server.url });
}

function assemble(
  root: string,
  server: GitServer,
  {
    token,
    serverUrl,
    level = "merge",
    crashPoint,
    isolation = isolationHere(join(root, "data")),
  }: Restarted & { readonly token: string; readonly serverUrl: string },
): RealHarness {
  const dataDir = join(root, "data");
  const logged: RealHarness["logged"] = [];
  const repository = { id: 4711, owner: "octo", name: "app", installationId: 1 };
  const directory = (name: string) => join(dataDir, "worktrees", String(repository.id), name);
  return {
    worktrees: createWorktrees({
      dataDir,
      serverUrl,
      token: () => Promise.resolve(token),
      level: () => level,
      log: logInto(logged),
      isolation,
      ...(crashPoint === undefined ? {} : { crashPoint }),
    }),
    repository,
    server,
    fullName: "octo/app",
    dataDir,
    mirror: join(dataDir, "mirrors", `${repository.id}.git`),
    directory,
    logged,
    restart: (options = {}) => assemble(root, server, { token, serverUrl, ...options }),
    async write(name, path, text) {
      const file = join(directory(name), path);
      if (text === null) return rm(file);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    },
    read: (name, path) => readFile(join(directory(name), path), "utf8").catch(() => null),
    serverCommit: (branch, files) => server.commit("octo/app", branch, files),
    serverHead: (branch) =>
      server.git("octo/app", "rev-parse", "--verify", "--quiet", `refs/heads/${branch}`).catch(() => null),
    // By the program, which follows no link even where a racer makes one meanwhile; Node's own rm does.
    loseDirectory: async (name) => void (await promisify(execFile)("rm", ["-r", "--", directory(name)])),
    async close() {
      const strange = await strangeUpdates(server, "octo/app");
      await server.close();
      await rm(root, { recursive: true, force: true });
      // So every test of the adapter is one of what it sends.
      if (strange.length > 0) throw new Error(`the server was sent ${strange.join(", ")}`);
    },
  };
}

function logInto(logged: RealHarness["logged"]): Log {
  const at = (level: string) => (fields: object, message: string) => {
    logged.push({ level, fields, message });
  };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}
