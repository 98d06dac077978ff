import { spawnSync } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { FAST_DIRECTORY } from "../factories/fast-directory.ts";

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
  /** Stops it and removes its files. */
  remove(): Promise<void>;
}

/** PostgreSQL refuses to run as root, so root gives it to this user, which the package makes. */
const SERVER_USER = "postgres";
const isRoot = process.getuid?.() === 0;

/** Starts an empty server on a free port. `settings` are lines of its configuration. */
export async function startPostgres(settings: readonly string[] = []): Promise<PostgresServer> {
  const bin = serverPrograms();
  if (bin === undefined)
    throw new Error("no PostgreSQL server is installed (Debian: apt-get install postgresql)");
  const directory = mkdtempSync(join(FAST_DIRECTORY, "flotilla-postgres-"));
  if (isRoot) chownSync(directory, ...idsOf(SERVER_USER));
  const data = join(directory, "data");
  run(bin, "initdb", ["-D", data, "-U", "flotilla", "--auth=trust", "-E", "UTF8", "--locale=C.UTF-8"]);
  const port = await freePort();
  const options = [
    `port=${port}`,
    `unix_socket_directories=${directory}`,
    "listen_addresses=127.0.0.1",
    ...settings,
  ];
  const control = (...args: readonly string[]) => run(bin, "pg_ctl", ["-D", data, "-w", ...args]);
  const start = async () => {
    control("start", "-l", join(directory, "log"), "-o", options.map((option) => `-c ${option}`).join(" "));
  };
  await start();
  return {
    url: `postgres://flotilla@127.0.0.1:${port}`,
    directory,
    start,
    crash: async () => control("stop", "-m", "immediate"),
    stop: async () => control("stop", "-m", "fast"),
    remove: async () => {
      // A server that is stopped already makes this fail.
      spawnSync(...command(bin, "pg_ctl", ["-D", data, "-w", "stop", "-m", "immediate"]));
      rmSync(directory, { recursive: true, force: true });
    },
  };
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
