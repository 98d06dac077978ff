import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import SqliteDatabase, { type Database } from "better-sqlite3";
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { checkedConfig } from "../../../src/cli/checked-config.ts";
import { StartupRefused } from "../../../src/domain/kernel/errors.ts";
import { PRIVATE_KEY } from "../../adapters/github/mocked-github.ts";
import { proved } from "../../proved.ts";

const CONFIG = `
runtime:
  provider: { type: openai, base_url: "http://127.0.0.1:9/v1", api_key_env: MODEL_API_KEY }
  model: gpt-4.1
agents_dir: ${JSON.stringify(join(import.meta.dirname, "../../../config/roles"))}
sandbox: { mode: none }
`;

let github: Server;
let clockAheadMs = 0;
let home: string;
let refused = 0;

beforeAll(async () => {
  github = createServer((_, response) => {
    response.setHeader("date", new Date(Date.now() + clockAheadMs).toUTCString());
    response.end("{}");
  });
  await new Promise<void>((resolve) => void github.listen(0, "127.0.0.1", resolve));
});
afterAll(() => void github.close());
beforeEach(() => {
  clockAheadMs = 0;
  home = mkdtempSync(join(tmpdir(), "flotilla-checks-"));
  mkdirSync(join(home, "data"), { mode: 0o700 });
  writeFileSync(join(home, "config.yaml"), CONFIG);
  put("app.pem", PRIVATE_KEY);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function put(name: string, text: string, mode = 0o600): string {
  const path = join(home, name);
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

function start(env: Readonly<Record<string, string>> = {}) {
  const address: AddressInfo | string | null = github.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return checkedConfig({
    cwd: home,
    env: {
      APP_ID: "1",
      PRIVATE_KEY_PATH: "app.pem",
      WEBHOOK_SECRET: "0123456789abcdef0123456789abcdef",
      GHE_HOST: `127.0.0.1:${port}`,
      GHE_PROTOCOL: "http",
      MODEL_API_KEY: "k",
      ...env,
    },
  });
}

async function faultsOf(starting: Promise<unknown>): Promise<readonly string[]> {
  const refusal: unknown = await starting.catch((error: unknown) => error);
  if (!(refusal instanceof StartupRefused)) throw new Error("the start was not refused", { cause: refusal });
  refused += 1;
  return refusal.faults;
}

/** A git first on PATH that does this before the true one. */
function wrapGit(script: string): void {
  mkdirSync(join(home, "bin"));
  const found = (process.env["PATH"] ?? "").split(delimiter).map((dir) => join(dir, "git"));
  put(
    "bin/git",
    `#!/bin/sh\n${script}\nfor git in ${found.join(" ")}; do [ -x $git ] && exec $git "$@"; done\n`,
    0o700,
  );
  vi.stubEnv("PATH", [join(home, "bin"), process.env["PATH"]].join(delimiter));
  onTestFinished(() => void vi.unstubAllEnvs());
}

test("a machine where nothing is wrong is started on, and nothing of the checks is left there", async () => {
  put("data/flotilla.db-inbox", "");
  put(".env", "WEBHOOK_SECRET=x\n");
  await expect(start()).resolves.toMatchObject({ config: { environment: { appId: 1 } } });
  expect(readdirSync(join(home, "data"))).toEqual(["flotilla.db-inbox"]);
});

test.each<[string, () => void, string, string]>([
  [
    "the App's key",
    () => chmodSync(join(home, "app.pem"), 0o640),
    "app.pem: is open to others (mode 0640)",
    "chmod 600",
  ],
  [
    "the data directory",
    () => chmodSync(join(home, "data"), 0o755),
    "data: is open to others (mode 0755)",
    "chmod 700",
  ],
  [
    "the directory of agents' sessions",
    () => mkdirSync(join(home, "data/sessions"), { mode: 0o755 }),
    "data/sessions: is open to others (mode 0755)",
    "chmod 700",
  ],
  [
    "the database",
    () => put("data/flotilla.db", "", 0o644),
    "data/flotilla.db: is open to others (mode 0644)",
    "chmod 600",
  ],
  [
    "the secret of our markers",
    () => put("data/marker-secret", "", 0o604),
    "data/marker-secret: is open to others (mode 0604)",
    "chmod 600",
  ],
  [
    "a .env with secrets",
    () => put(".env", "PORT=1\nexport WEBHOOK_SECRET=abc\n", 0o644),
    ".env: is open to others (mode 0644)",
    "chmod 600",
  ],
])("%s that others may read is refused, with the cure", async (_, spoil, what, cure) => {
  spoil();
  const faults = await faultsOf(start());
  expect(faults).toHaveLength(1);
  expect(faults[0]).toContain(what);
  expect(faults[0]).toContain(cure);
});

test("a .env without secrets may be read by others", async () => {
  put(".env", "PORT=4000\n", 0o644);
  await expect(start()).resolves.toBeDefined();
});

test.runIf(process.getuid?.() === 0)("a data directory of another user is refused", async () => {
  chownSync(join(home, "data"), 65_534, 65_534);
  const [fault] = await faultsOf(start());
  expect(fault).toMatch(/data: belongs to the user 65534 and flotilla runs as 0.*chown 0 /);
});

test.each([61, -61])("a clock that differs from GitHub's by %i s and more is refused", async (seconds) => {
  clockAheadMs = seconds * 1000 + Math.sign(seconds) * 1000;
  const [fault] = await faultsOf(start());
  expect(fault).toContain(`s ${seconds > 0 ? "behind" : "ahead of"} GitHub`);
  expect(fault).toContain("timedatectl");
});

test("a clock that differs by less is started with, and so is one that nobody can compare", async () => {
  clockAheadMs = 55_000;
  await expect(start()).resolves.toBeDefined();
  clockAheadMs = 1e9;
  await expect(start({ GHE_HOST: "127.0.0.1:1" })).resolves.toBeDefined();
});

test("a data directory that cannot be made is refused", async () => {
  const [fault] = await faultsOf(start({ FLOTILLA_DATA_DIR: "/proc/flotilla" }));
  expect(fault).toMatch(/^\/proc\/flotilla: cannot be made by this user .*Set FLOTILLA_DATA_DIR/);
});

test("a git that obeys what a repository plants is refused, each planted thing by its name", async () => {
  wrapGit('for name in $(env | grep -o "^GIT_CONFIG_[A-Z]*"); do unset $name; done; unset GIT_CONFIG_COUNT');
  const faults = await faultsOf(start());
  const names = faults.map((fault) => /^git: ran a planted (\S+) although/.exec(fault)?.[1]);
  expect(names).toEqual(
    expect.arrayContaining(["core.fsmonitor", "gpg.program", "post-index-change", "pre-commit"]),
  );
  expect(faults[0]).toContain("which git is first on PATH");
});

test("an old git is refused with what to install, and no git at all too", async () => {
  wrapGit('[ "$1" = version ] && echo "git version 2.39.4" && exit 0');
  expect(await faultsOf(start())).toEqual([
    expect.stringMatching(/^git: is 2\.39\.4, .*Install git 2\.39\.5/),
  ]);
  vi.stubEnv("PATH", join(home, "data"));
  expect(await faultsOf(start())).toEqual([expect.stringMatching(/^git: is not installed.*Install git/)]);
});

test("a sandbox that cannot be had is refused in the same list", async () => {
  writeFileSync(join(home, "config.yaml"), CONFIG.replace("mode: none", "mode: bubblewrap"));
  mkdirSync(join(home, "bin"));
  put("bin/bwrap", "#!/bin/sh\nexit 1\n", 0o700);
  vi.stubEnv("PATH", [join(home, "bin"), process.env["PATH"]].join(delimiter));
  onTestFinished(() => void vi.unstubAllEnvs());
  clockAheadMs = 90_000;
  const faults = await faultsOf(start());
  expect(new Set(faults.map((fault) => fault.slice(0, fault.indexOf(":"))))).toEqual(
    new Set(["clock", "sandbox"]),
  );
});

test("a driver that does not sync what it is told is refused before the database is opened", async () => {
  const pragma = vi.spyOn(SqliteDatabase.prototype, "pragma");
  onTestFinished(() => pragma.mockRestore());
  pragma.mockImplementation(function deaf(this: Database, source) {
    const [name = "", value] = source.split(" = ");
    if (value !== undefined && name !== "synchronous") this.exec(`PRAGMA ${source}`);
    return this.prepare(`PRAGMA ${name}`).pluck().get();
  });
  expect((await faultsOf(start())).join("\n")).toMatch(/^database: .*synchronous is 1, not FULL/);
});

test.each([
  ["development".repeat(3), "is a short word repeated"],
  ["x".repeat(40), "is a short word repeated"],
  ["development", "is shorter than 32 bytes"],
])("the webhook secret %s is refused", async (secret, what) => {
  const [fault] = await faultsOf(start({ WEBHOOK_SECRET: secret }));
  expect(fault).toContain(`WEBHOOK_SECRET ${what}`);
  expect(fault).not.toContain(secret.slice(0, 12) + secret.slice(0, 4));
});

test("everything that is wrong is named at once: configuration, files, clock", async () => {
  chmodSync(join(home, "app.pem"), 0o644);
  chmodSync(join(home, "data"), 0o777);
  clockAheadMs = 90_000;
  const faults = (await faultsOf(start())).join("\n");
  for (const words of ["app.pem: is open", "data: is open", "clock: this machine is"])
    expect(faults).toContain(words);
  const more = (await faultsOf(start({ WEBHOOK_SECRET: "", APP_ID: "x" }))).join("\n");
  for (const words of [
    "WEBHOOK_SECRET is not set",
    "APP_ID is not a number",
    "app.pem: is open",
    "data: is open",
  ])
    expect(more).toContain(words);
  proved({
    promise: "What is unsafe is not started on: each unsafe thing is named with its cure",
    test: "test/cli/start-checks/refusals.test.ts",
    figure: `${refused} unsafe starts tried, ${refused} refused`,
  });
});
