import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { GitView } from "../../../../src/adapters/sandbox/mounts.ts";

/** A host with everything on it that an agent must not reach, and the worktree of one agent. */
export interface World {
  readonly own: string;
  readonly session: string;
  readonly git: GitView;
  /** Directories that no PATH opens. */
  readonly hidden: readonly string[];
  /** By what names the attempts find all this. */
  readonly env: Readonly<Record<string, string>>;
  remove(): void;
}

const CANARY = `canary-${randomUUID()}`;

export async function makeWorld(): Promise<World> {
  const root = mkdtempSync(join(tmpdir(), "flotilla-world-"));
  const name = `flotilla-${randomUUID()}`;
  const write = (path: string, text = CANARY): string => {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  };
  for (const path of [
    "home/.ssh/id",
    "host-only/file",
    "data/flotilla.db",
    "data/marker-secret",
    "data/sessions/1/home/file",
    "data/sessions/2/session-state/x/events.jsonl",
    "data/worktrees/7/own/file",
    "data/worktrees/7/other/file",
    "data/mirrors/7.git/HEAD",
    "data/mirrors/7.git/config",
    "data/mirrors/7.git/refs/heads/main",
    "data/mirrors/7.git/hooks/sample",
    "data/mirrors/7.git/worktrees/own/HEAD",
    "data/mirrors/7.git/worktrees/other/HEAD",
  ])
    write(path);
  writeFileSync(`/dev/shm/${name}`, CANARY);
  const servers = await Promise.all([
    listening({ host: "0.0.0.0", port: 0 }),
    listening({ path: join(root, "host.sock") }),
    listening({ path: `\0${name}` }),
  ]);
  const sleep = `1000.${Math.floor(Math.random() * 1e9)}`;
  const other = spawn("/bin/sleep", [sleep], { env: { CANARY_OF_OTHER: CANARY }, stdio: "ignore" });
  const at = (path: string): string => join(root, path);
  const mirror = at("data/mirrors/7.git");
  return {
    own: at("data/worktrees/7/own"),
    session: at("data/sessions/1"),
    git: { mirror, entries: join(mirror, "worktrees"), entry: join(mirror, "worktrees/own") },
    hidden: [at("home"), at("data")],
    env: {
      PATH: "/usr/sbin:/usr/bin:/sbin:/bin",
      ROOT: root,
      HOST_HOME: at("home"),
      DATA: at("data"),
      OWN: at("data/worktrees/7/own"),
      OTHER: at("data/worktrees/7/other"),
      MIRROR: mirror,
      NAME: name,
      CANARY,
      SLEEP: sleep,
      PORT: String(portOf(servers[0])),
      HOST_PID: String(process.pid),
      OTHER_PID: String(other.pid),
    },
    remove() {
      other.kill("SIGKILL");
      for (const server of servers) server.close();
      rmSync(`/dev/shm/${name}`, { force: true });
      rmSync(root, { recursive: true, force: true });
    },
  };
}

function listening(place: { host: string; port: number } | { path: string }): Promise<Server> {
  const server = createServer((client) => client.end());
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(place, () => resolve(server));
  });
}

function portOf(server: Server | undefined): number {
  const address = server?.address();
  return typeof address === "object" ? (address?.port ?? 0) : 0;
}
