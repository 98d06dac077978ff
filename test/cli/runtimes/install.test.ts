import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { installedVersion } from "../../../src/adapters/runtimes/acp/installed.ts";
import { claude } from "../../../src/adapters/runtimes/acp/presets/claude.ts";
import { install } from "../../../src/cli/runtimes/install.ts";

const PACKAGE = { name: "@example/agent", version: "1.2.3", megabytes: 1 };

/** What an npm of ours does in place of the real one: shell, in the new directory. */
const PUTS_IT = (version: string) => `
mkdir -p node_modules/@example/agent
echo '{ "version": "${version}" }' > node_modules/@example/agent/package.json
echo "$@" > asked
env > environment`;
const GOOD = PUTS_IT("1.2.3");

async function place() {
  const root = await mkdtemp(join(tmpdir(), "flotilla-install-"));
  const bin = join(root, "bin");
  await mkdir(bin);
  const data = join(root, "runtimes");
  const arrived: number[] = [];
  return {
    data,
    directory: join(data, "agent"),
    arrived,
    async npm(script: string) {
      await writeFile(join(bin, "npm"), `#!/bin/sh\n${script}\n`);
      await chmod(join(bin, "npm"), 0o755);
    },
    run(
      options: {
        version?: string;
        megabytes?: number;
        signal?: AbortSignal;
        env?: Record<string, string>;
        lock?: string | null;
      } = {},
    ) {
      const {
        signal = new AbortController().signal,
        version = "1.2.3",
        megabytes = 1,
        env = {},
        lock = null,
      } = options;
      return install({
        preset: { ...claude, package: { ...PACKAGE, version, megabytes } },
        lock,
        directory: join(data, "agent"),
        env: { PATH: `${bin}:/usr/bin:/bin`, HOME: root, ...env },
        progress: (count) => arrived.push(count),
        signal,
      });
    },
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  };
}

const versionIn = (directory: string, version: string) =>
  installedVersion({ ...claude, package: { ...PACKAGE, version } }, directory);

test("npm is asked for exactly the preset's version, without scripts, on our Node and with nothing secret", async () => {
  await using there = await place();
  await there.npm(GOOD);
  expect(versionIn(there.directory, "1.2.3")).toBeNull();
  await there.run({ env: { MODEL_KEY: "secret", npm_config_registry: "https://npm.example" } });
  expect(versionIn(there.directory, "1.2.3")).toBe("1.2.3");
  expect(await readFile(join(there.directory, "asked"), "utf8")).toMatch(
    /^install --ignore-scripts [^@]*\n$/,
  );
  expect(JSON.parse(await readFile(join(there.directory, "package.json"), "utf8"))).toMatchObject({
    dependencies: { "@example/agent": "1.2.3" },
  });
  const environment = await readFile(join(there.directory, "environment"), "utf8");
  expect(environment).not.toContain("MODEL_KEY");
  expect(environment).toContain("npm_config_registry=https://npm.example");
  expect(environment).toContain(`PATH=${join(process.execPath, "..")}:`);
  expect(await readdir(there.data)).toEqual(["agent"]);
});

test("with a lock file npm installs exactly what that names", async () => {
  await using there = await place();
  await there.npm(GOOD);
  await there.run({ lock: '{ "lockfileVersion": 3 }' });
  expect(await readFile(join(there.directory, "asked"), "utf8")).toMatch(/^ci --ignore-scripts /);
  expect(await readFile(join(there.directory, "package-lock.json"), "utf8")).toBe('{ "lockfileVersion": 3 }');
});

test("each package that arrives is told", async () => {
  await using there = await place();
  await there.npm(
    [
      "exec 3>&1 1>&2",
      "echo 'npm http fetch GET 200 https://npm.example/a.tgz 5ms (cache miss)'",
      "echo 'npm http fetch GET 200 https://npm.example/a 5ms'",
      "echo 'npm http cache https://npm.example/b.tgz 0ms (cache hit)'",
      "exec 1>&3",
      GOOD,
    ].join("\n"),
  );
  await there.run();
  expect(there.arrived).toEqual([1, 2]);
});

test("an installation that fails leaves what was there, and says what npm said", async () => {
  await using there = await place();
  await there.npm(GOOD);
  await there.run();
  await there.npm(`${PUTS_IT("2.0.0")}\necho 'npm error 404 no such package' >&2\nexit 7`);
  await expect(there.run({ version: "2.0.0" })).rejects.toMatchObject({
    code: "install_failed",
    consequence: "tell",
    message: expect.stringContaining("npm ended with 7: 404 no such package"),
  });
  expect(versionIn(there.directory, "1.2.3")).toBe("1.2.3");
  expect(await readdir(there.data)).toEqual(["agent"]);
});

test("an interrupted installation ends npm and leaves nothing", async () => {
  await using there = await place();
  const stopped = new AbortController();
  await there.npm(
    `mkdir -p node_modules\necho 'npm http fetch GET 200 https://npm.example/a.tgz 5ms' >&2\nexec sleep 3600`,
  );
  const running = there.run({ signal: stopped.signal });
  await expect.poll(() => there.arrived).toEqual([1]);
  stopped.abort();
  await expect(running).rejects.toThrow("was not installed: it was interrupted");
  expect(await readdir(there.data)).toEqual([]);
});

test("of what npm says of a failed request, people read what happened and not npm's own code", async () => {
  await using there = await place();
  await there.npm(
    `for line in 'code ECONNREFUSED' 'request to https://npm.example/a failed' '    at ClientRequest.<anonymous> (/usr/lib/index.js:1:2)' 'Check your proxy.'
do echo "npm error $line" >&2; done
exit 1`,
  );
  await expect(there.run()).rejects.toMatchObject({
    message:
      "The runtime was not installed: npm ended with 1: code ECONNREFUSED request to https://npm.example/a failed Check your proxy.",
  });
});

test("a directory that cannot be made is told with what to do", async () => {
  await using there = await place();
  await there.npm(GOOD);
  await writeFile(there.data, "");
  await expect(there.run()).rejects.toMatchObject({
    code: "install_failed",
    message: expect.stringMatching(/^The runtime was not installed: E\w+: .*, mkdir '.*runtimes'\.$/),
    advice: "Correct FLOTILLA_DATA_DIR, or what lies there.",
  });
});

test("of several at once each succeeds, and one whole installation is there", async () => {
  await using there = await place();
  await there.npm(GOOD);
  await there.run();
  await there.npm(PUTS_IT("2.0.0"));
  await Promise.all(Array.from({ length: 8 }, () => there.run({ version: "2.0.0" })));
  expect(versionIn(there.directory, "2.0.0")).toBe("2.0.0");
  expect((await readdir(there.data)).filter((name) => name.startsWith(".new-"))).toEqual([]);
});

test("another version than that of the preset is refused", async () => {
  await using there = await place();
  await there.npm(PUTS_IT("0.9.0"));
  await expect(there.run()).rejects.toThrow("npm installed 0.9.0 in place of 1.2.3");
  expect(await readdir(there.data)).toEqual([]);
});

test("a new version takes the place of the old one, which agents at work keep until the next installation", async () => {
  await using there = await place();
  await there.npm(GOOD);
  await there.run();
  await there.npm(PUTS_IT("2.0.0"));
  await there.run({ version: "2.0.0" });
  expect(versionIn(there.directory, "2.0.0")).toBe("2.0.0");
  const [old = ""] = (await readdir(there.data)).filter((name) => name.startsWith(".old-"));
  expect(versionIn(join(there.data, old), "1.2.3")).toBe("1.2.3");
  await there.run({ version: "2.0.0" });
  expect(await readdir(there.data)).not.toContain(old);
});

test("what a killed installation has left is removed by the next one, and not what another is at", async () => {
  await using there = await place();
  const another = `.new-${process.ppid}-abcdef`;
  // No process has so high a number.
  await mkdir(join(there.data, ".new-4194305-abcdef", "node_modules"), { recursive: true });
  await mkdir(join(there.data, another));
  await there.npm(GOOD);
  await there.run();
  expect((await readdir(there.data)).toSorted()).toEqual([another, "agent"]);
});

test("a disk that is too full, or a machine without npm, is told with what to do", async () => {
  await using there = await place();
  await there.npm(GOOD);
  await expect(there.run({ megabytes: 1e9 })).rejects.toMatchObject({
    message: expect.stringMatching(/has \d+ MB left, and the installation needs 1500000000 MB/),
    advice: "Free space on that disk.",
  });
  await expect(there.run({ env: { PATH: there.data } })).rejects.toMatchObject({
    message: expect.stringContaining("npm cannot be started"),
    advice: expect.stringContaining("Install Node.js with npm"),
  });
});
