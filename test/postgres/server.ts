import { spawnSync } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { Client } from "pg";
import { FAST_DIRECTORY } from "../factories/fast-directory.ts";
import { until } from "../journeys/until.ts";

/** Where Debian, Ubuntu and Homebrew put the server's programs. */
const PLACES = ["/usr/lib/postgresql", "/opt/homebrew/opt", "/usr/local/opt"];

/** Returns the directory of the newest server's programs; undefined where none is installed. */
export function serverPrograms(): string | undefined {
  const found = PLACES.filter((place) => existsSync(place)).flatMap((place) =>
    readdirSync(place)
      .map((version) => join(place, version, "bin"))
      .filter((bin) => existsSync(join(bin, "initdb"))),
  );
  return found.toSorted((a, b) => b.localeCompare(a, "en", { numeric: true }))[0];
}

/** A PostgreSQL server of the tests' own. */
export interface PostgresServer {
  /** `postgres://user@127.0.0.1:port`, to which a slash and the name of a database are added. */
  readonly url: string;
  readonly directory: string;
  /** Ends the server as a lost power supply would. */
  crash(): Promise<void>;
  /** Stops it in good order. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /**
   * Makes a standby for which commits wait, ends the server as a lost machine would, and lets the standby take its place,
   * at the same address: first as one that can only be read, then promoted.
   */
  failOver(meanwhile: {
    readonly besideStandby: () => Promise<unknown>;
    readonly whileReadOnly: () => Promise<unknown>;
  }): Promise<void>;
  /** Stops it and removes its files. */
  remove(): Promise<void>;
}

/** PostgreSQL refuses to run as root, so root gives it to this user, which the package makes. */
const SERVER_USER = "postgres";
const isRoot = process.getuid?.() === 0;

/** Starts an empty server on a free port, with its files below `within`. `settings` are lines of its configuration. */
export async function startPostgres(
  settings: readonly string[] = [],
  within = FAST_DIRECTORY,
): Promise<PostgresServer> {
  const bin = serverPrograms();
  if (bin === undefined)
    throw new Error("no PostgreSQL server is installed (Debian: apt-get install postgresql)");
  const directory = mkdtempSync(join(within, "flotilla-postgres-"));
  if (isRoot) chownSync(directory, ...idsOf(SERVER_USER));
  let data = join(directory, "data");
  run(bin, "initdb", ["-D", data, "-U", "flotilla", "--auth=trust", "-E", "UTF8", "--locale=C.UTF-8"]);
  const port = await freePort();
  const optionsAt = (at: number) => [
    `port=${at}`,
    `unix_socket_directories=${directory}`,
    "listen_addresses=127.0.0.1",
    ...settings,
  ];
  const control = (of: string, ...args: readonly string[]) => run(bin, "pg_ctl", ["-D", of, "-w", ...args]);
  const startAt = (of: string, at: number) =>
    control(
      of,
      "start",
      "-l",
      join(directory, "log"),
      "-o",
      optionsAt(at)
        .map((one) => `-c ${one}`)
        .join(" "),
    );
  startAt(data, port);
  const url = `postgres://flotilla@127.0.0.1:${port}`;
  let standbys = 0;
  return {
    url,
    directory,
    start: async () => startAt(data, port),
    crash: async () => control(data, "stop", "-m", "immediate"),
    failOver: async ({ besideStandby, whileReadOnly }) => {
      standbys += 1;
      const standby = join(directory, `standby-${standbys}`);
      run(bin, "pg_basebackup", ["-D", standby, "-R", "-X", "stream", "-c", "fast", "-d", `${url}/postgres`]);
      startAt(standby, await freePort());
      await waitForStandby(`${url}/postgres`);
      await besideStandby();
      control(data, "stop", "-m", "immediate");
      control(standby, "stop", "-m", "fast");
      startAt(standby, port);
      data = standby;
      await whileReadOnly();
      control(standby, "promote");
    },
    stop: async () => control(data, "stop", "-m", "fast"),
    remove: async () => {
      // A server that is stopped already makes this fail.
      spawnSync(...command(bin, "pg_ctl", ["-D", data, "-w", "stop", "-m", "immediate"]));
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Lets commits wait for the standby, and resolves once they do. */
async function waitForStandby(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("ALTER SYSTEM SET synchronous_standby_names = '*'");
    await client.query("SELECT pg_reload_conf()");
    await until("commits wait for the standby", async () => {
      const { rowCount } = await client.query("SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'");
      return rowCount === 1;
    });
  } finally {
    await client.end();
  }
}

function run(bin: string, program: string, args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(...command(bin, program, args), {
    encoding: "utf8",
    cwd: "/",
    // The server keeps what it was started with open, so it must not be a pipe that somebody waits for.
    stdio: program === "pg_ctl" ? "ignore" : "pipe",
  });
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stdout ?? ""}${stderr ?? ""}`);
}

function command(bin: string, program: string, args: readonly string[]): [string, string[]] {
  const path = join(bin, program);
  return isRoot
    ? ["setpriv", [`--reuid=${SERVER_USER}`, "--clear-groups", `--regid=${SERVER_USER}`, path, ...args]]
    : [path, [...args]];
}

function idsOf(user: string): [number, number] {
  const id = (flag: string) => Number(spawnSync("id", [flag, user], { encoding: "utf8" }).stdout);
  return [id("-u"), id("-g")];
}

function freePort(): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const server = createServer();
  server.once("error", reject);
  server.listen(0, "127.0.0.1", () => {
    const address = server.address();
    server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
  });
  return promise;
}
