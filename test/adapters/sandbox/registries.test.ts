import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createEgress } from "../../../src/adapters/sandbox/egress/egress.ts";
import type { TokenRegistry } from "../../../src/domain/access/registry.ts";
import { formsOf } from "../../../src/domain/access/secret-forms.ts";
import { filesHolding } from "../../journeys/files-holding.ts";
import { proved } from "../../proved.ts";
import { realClock } from "../runtimes/real-harness.ts";
import { type LocalRegistry, startRegistry } from "./a-registry.ts";
import { confinedRunner, describeConfined } from "./bubblewrap-here.ts";
import { putCrates, putNpmPackage, putPythonPackage, write } from "./packages.ts";

const TOKEN = "npm_Tq7ZxW2mR9vKc4LbYh3Ns8Df";
const PASSWORD = "ci:Hd83kQvP0sLm5TzRw2Xb";
const PATH = "/usr/local/bin:/usr/bin:/bin";

/** Everything of a sandbox that could show a token. */
const LOOK = `env; for p in /proc/[0-9]*; do tr '\\0' '\\n' < $p/environ; tr '\\0' '\\n' < $p/cmdline; done 2>&1
mkdir seen; cp -r /run /tmp /etc /dev/shm seen/ 2>/dev/null; cp -r /.cargo seen/cargo 2>/dev/null; echo looked`;

const PIP_IS_HERE = spawnSync("/usr/bin/python3", ["-m", "pip", "--version"]).status === 0;

/** The real cargo: that of rustup chooses a toolchain in the home directory. */
const CARGO = found("rustup", ["which", "cargo"]);

function found(file: string, args: readonly string[]): string | null {
  const { status, stdout } = spawnSync(file, args, { encoding: "utf8" });
  return status === 0 ? stdout.trim() : null;
}

interface Place {
  readonly root: string;
  readonly work: string;
  readonly home: string;
}

function aPlace(): Place {
  const root = mkdtempSync(join(tmpdir(), "flotilla-registries-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [work, home] = [join(root, "work"), join(root, "home")];
  for (const directory of [work, home]) mkdirSync(directory);
  return { root, work, home };
}

const REGISTRY_AT = (kind: string, { port }: LocalRegistry, path: string) =>
  `http://${kind}.corp.internal:${port}${path}`;

/** Runs a shell line in a real sandbox that reaches these registries, and no host. */
async function run(
  { work, home }: Place,
  registries: readonly TokenRegistry[],
  line: string,
  hidden: readonly string[] = [homedir()],
) {
  const logged: string[] = [];
  const note = (fields: object, message: string) => void logged.push(`${message} ${JSON.stringify(fields)}`);
  const egress = createEgress(
    { debug: note, info: note, warn: note, error: note },
    {
      registries,
      privateHosts: registries.map(({ url }) => new URL(url).hostname),
      outside: {
        addresses: async () => ["127.0.0.1"],
        connect: () => {
          throw new Error("no tunnel is opened here");
        },
      },
    },
  );
  onTestFinished(() => egress.close());
  const result = await confinedRunner(realClock, { egress, registries, hidden }).run(
    {
      file: "/bin/sh",
      args: ["-c", line],
      cwd: work,
      env: {
        PATH: CARGO === null ? PATH : `${PATH}:${dirname(CARGO)}`,
        HOME: home,
        TMPDIR: home,
        CI: "true",
      },
    },
    {
      writable: [work, home],
      readable: [],
      hosts: [],
      registries: true,
      mark: `registries@${work}`,
      timeoutMs: 120_000,
      signal: new AbortController().signal,
      maxOutputBytes: 200_000,
    },
  );
  return { ...result, logged };
}

describeConfined("a registry that asks for a token", () => {
  test("npm ci installs from it, and the token is nowhere inside", async () => {
    const place = aPlace();
    const registry = await startRegistry(`Bearer ${TOKEN}`);
    const url = REGISTRY_AT("npm", registry, "/repository/npm/");
    const lock = putNpmPackage(registry, place.root, url);
    const manifest = '{"name":"project","version":"1.0.0","dependencies":{"@acme/left":"1.0.0"}}';
    write(place.work, { "package.json": manifest, "package-lock.json": lock });
    const asked = { kind: "npm", url, tokenEnv: "NPM_TOKEN", token: TOKEN } as const;
    const line = `npm ci && node -p "require('@acme/left')" && ${LOOK}`;
    const result = await run(place, [asked], line);
    expect(result.output).toContain("left of acme\n");
    expect(result).toMatchObject({ exitCode: 0, refusals: [] });
    expect(result.output).toContain("npm_config_registry=http://127.0.0.1:3129/repository/npm/\n");
    expect(result.output).toMatch(/looked\n$/);
    expect(registry.seen.map(({ headers }) => headers.authorization)).toContain(`Bearer ${TOKEN}`);

    const forms = [TOKEN, `Bearer ${TOKEN}`].flatMap(formsOf);
    const told = JSON.stringify([result.output, result.logged]);
    const places = [
      ...forms.filter((form) => told.includes(form)),
      ...filesHolding(place.work, forms),
      ...filesHolding(place.home, forms),
    ];
    expect(places).toEqual([]);
    proved({
      promise: "The token of a private registry is nowhere in the sandbox that installs from it.",
      test: "test/adapters/sandbox/registries.test.ts",
      figure: `npm ci from a registry that refuses without a token; ${forms.length} forms of it in no variable, process, file, output or log`,
    });
  }, 180_000);

  test("npm install without a lock file writes the registry's own address into one", async () => {
    const place = aPlace();
    const registry = await startRegistry(`Bearer ${TOKEN}`);
    const url = REGISTRY_AT("npm", registry, "/repository/npm/");
    putNpmPackage(registry, place.root, url);
    write(place.work, { "package.json": '{"name":"project","version":"1.0.0"}' });
    const asked = { kind: "npm", url, tokenEnv: "NPM_TOKEN", token: TOKEN } as const;
    const result = await run(place, [asked], "npm install @acme/left");
    expect(result).toMatchObject({ exitCode: 0 });
    const written = readFileSync(join(place.work, "package-lock.json"), "utf8");
    expect(written).toContain(`"resolved": "${url}@acme/left/-/left-1.0.0.tgz"`);
    expect(written).not.toContain("127.0.0.1");
  }, 180_000);

  test("npm says that the registry refuses our token, and so do we", async () => {
    const place = aPlace();
    const registry = await startRegistry("Bearer of-somebody-else");
    const url = REGISTRY_AT("npm", registry, "/");
    const lock = putNpmPackage(registry, place.root, url);
    const manifest = '{"name":"project","version":"1.0.0","dependencies":{"@acme/left":"1.0.0"}}';
    write(place.work, { "package.json": manifest, "package-lock.json": lock });
    const asked = { kind: "npm", url, tokenEnv: "NPM_TOKEN", token: TOKEN } as const;
    const result = await run(place, [asked], "npm ci");
    const why = `The registry \`${url}\` refuses Flotilla's token (401): the operator has to put a valid one into \`NPM_TOKEN\`.`;
    expect(result.exitCode).not.toBe(0);
    expect(result.output).toContain(why);
    expect(result.refusals).toEqual([why]);
  }, 180_000);

  test.skipIf(!PIP_IS_HERE)(
    "pip installs from it, beside one for npm, by user and password",
    async () => {
      const place = aPlace();
      const registry = await startRegistry(`Basic ${btoa(PASSWORD)}`);
      const url = REGISTRY_AT("pypi", registry, "/repository/pypi/simple/");
      putPythonPackage(registry, place.root, url);
      const npm = {
        kind: "npm",
        url: "https://npm.example.com/",
        tokenEnv: "NPM_TOKEN",
        token: TOKEN,
      } as const;
      const pypi = { kind: "pypi", url, tokenEnv: "PYPI_LOGIN", token: PASSWORD } as const;
      const line = `python3 -m pip install --no-cache-dir --target lib right && PYTHONPATH=lib python3 -c "import right; print(right.SAYS)" && ${LOOK}`;
      const result = await run(place, [npm, pypi], line);
      expect(result.output).toContain("right of acme\n");
      expect(result).toMatchObject({ exitCode: 0, refusals: [] });
      const forms = [PASSWORD, PASSWORD.slice(3)].flatMap(formsOf);
      const told = JSON.stringify([result.output, result.logged]);
      expect(forms.filter((form) => told.includes(form))).toEqual([]);
      expect(filesHolding(place.work, forms)).toEqual([]);
    },
    180_000,
  );

  test.skipIf(CARGO === null)(
    "cargo fetches from it, without a token of its own",
    async () => {
      const place = aPlace();
      const registry = await startRegistry(TOKEN);
      const url = REGISTRY_AT("cargo", registry, "/api/cargo/own/index/");
      const files = {
        "Cargo.toml": '[package]\nname = "middle"\nversion = "1.0.0"\nedition = "2021"\n',
        "src/lib.rs": "",
      };
      putCrates(registry, place.root, url, [{ name: "middle", version: "1.0.0", files }]);
      write(place.work, {
        "Cargo.toml":
          '[package]\nname = "project"\nversion = "1.0.0"\nedition = "2021"\n[dependencies]\nmiddle = { version = "1", registry = "own" }\n',
        "src/lib.rs": "",
        ".cargo/config.toml": `[registries.own]\nindex = "sparse+${url}"\n`,
      });
      const asked = { kind: "cargo", url, tokenEnv: "CARGO_TOKEN", token: TOKEN } as const;
      const result = await run(place, [asked], `${CARGO} fetch && ls $HOME/.cargo/registry/cache/*`, []);
      expect(result).toMatchObject({ exitCode: 0, refusals: [] });
      expect(result.output).toContain("middle-1.0.0.crate\n");
      expect(readFileSync(join(place.work, "Cargo.lock"), "utf8")).toContain(`source = "sparse+${url}"`);
    },
    180_000,
  );

  test("what may not read from registries has no way to one", async () => {
    const place = aPlace();
    const registry = await startRegistry(`Bearer ${TOKEN}`);
    const url = REGISTRY_AT("npm", registry, "/");
    const registries = [{ kind: "npm", url, tokenEnv: "NPM_TOKEN", token: TOKEN } as const];
    const { promise: opened, reject } = Promise.withResolvers<never>();
    const never = () => {
      reject(new Error("a way out was opened"));
      return opened;
    };
    const runner = confinedRunner(realClock, { egress: { open: never, directoryFor: never }, registries });
    const command = { file: "/usr/bin/env", args: [], cwd: place.work, env: { PATH } };
    const reach = { writable: [place.work], readable: [], hosts: [], registries: false };
    const asked = await runner.confine(command, reach);
    expect(asked.args.join("\n")).not.toMatch(/3129|egress/);
  });
});
