import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { gitDataOf } from "../../../src/adapters/git/process/git-data.ts";
import { homeDirectories } from "../../../src/adapters/sandbox/home-directories.ts";
import { toolchains } from "../../../src/adapters/sandbox/toolchains.ts";
import type { Reach, Runner } from "../../../src/domain/ports/runner.ts";
import { AUTHOR, FRESH } from "../../contracts/worktrees-harness.ts";
import { realHarness } from "../git/real-harness.ts";
import { realClock } from "../runtimes/real-harness.ts";
import { confinedRunner, describeConfined } from "./bubblewrap-here.ts";

function aDirectory(): string {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "flotilla-view-")));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

function shell(
  runner: Runner,
  line: string,
  cwd: string,
  { PATH = "/usr/bin:/bin", ...reach }: Partial<Reach> & { readonly PATH?: string } = {},
) {
  return runner.run(
    { file: "/bin/sh", args: ["-c", line], cwd, env: { PATH, HOME: cwd } },
    {
      writable: [cwd],
      readable: [],
      hosts: [],
      registries: false,
      ...reach,
      mark: `view@${cwd}`,
      timeoutMs: 30_000,
      signal: new AbortController().signal,
      maxOutputBytes: 10_000,
    },
  );
}

describeConfined("what a confined command sees", () => {
  test("a tool on PATH runs with its libraries, and neither its settings nor another's home are there", async () => {
    const root = aDirectory();
    const at = (path: string) => join(root, path);
    for (const path of ["cargo/bin", "cargo/lib", "cargo/registry", "home/admin/.cargo/bin", "work"])
      mkdirSync(at(path), { recursive: true });
    writeFileSync(at("cargo/lib/words"), "its library\n");
    for (const tree of ["cargo", "home/admin/.cargo"]) {
      writeFileSync(at(`${tree}/bin/tool`), `#!/bin/sh\ncat "$(dirname "$0")/../lib/words"\n`, {
        mode: 0o755,
      });
      writeFileSync(at(`${tree}/credentials.toml`), "token = 1");
      writeFileSync(at(`${tree}/.netrc`), "password");
    }
    const runner = confinedRunner(realClock, { hidden: [at("home/admin")] });
    const { output } = await shell(
      runner,
      `tool; find ${root} -type f | sort; find ${at("home")} 2>/dev/null || echo "no home"`,
      at("work"),
      { PATH: `${at("cargo/bin")}:${at("home/admin/.cargo/bin")}:/usr/bin:/bin` },
    );
    expect(output).toBe(`its library\n${at("cargo/bin/tool")}\n${at("cargo/lib/words")}\nno home\n`);
  });

  test("git reads the worktree's history and state, and changes nothing of it", async () => {
    const harness = await realHarness();
    onTestFinished(() => harness.close());
    const ref = (name: string) => ({ repository: harness.repository, name, branch: `flotilla/${name}` });
    for (const name of ["one", "two"]) await harness.worktrees.prepare(ref(name), FRESH);
    await harness.write("one", "made.txt", "new\n");
    const runner = confinedRunner(realClock, { gitOf: (at) => gitDataOf(harness.dataDir, at) });
    const { output } = await shell(
      runner,
      `git status --short; git log --format=%an -1; git diff HEAD --stat | tail -1
       git add -A 2>/dev/null || echo "no index"; git commit -qam x 2>/dev/null || echo "no commit"
       ls ${harness.mirror}/worktrees; ls ${dirname(harness.directory("two"))}`,
      harness.directory("one"),
    );
    expect(output).toContain("?? made.txt");
    expect(output).toContain("no index\nno commit\none\none\n");
    const made = await harness.worktrees.commit(ref("one"), { message: "m", author: AUTHOR });
    expect(made).not.toBeNull();
  });

  test("what is given for reading, and the system, cannot be written, whatever the PATH opens", async () => {
    const given = aDirectory();
    const line = `PATH=/usr/bin:/bin
      for path in ${given} /usr /usr/bin /etc /; do touch $path/written 2>/dev/null && echo "wrote $path"; done; ls ${given}; echo end`;
    const { output } = await shell(confinedRunner(realClock), line, aDirectory(), {
      PATH: "",
      readable: [given],
    });
    expect(output).toBe("end\n");
  });

  test("it has a session of its own, bounds, and nothing behind the files that tell of the host", async () => {
    const bounds = "Max processes|Max file size|Max data size|Max core file size";
    const line = `read -r _ _ _ _ _ session _ </proc/$$/stat; echo session $session
      grep -E '${bounds}' /proc/self/limits | tr -s ' '
      for path in /proc/kcore /proc/keys; do [ ! -e $path ] || stat -c '%n %t:%T' $path; done`;
    const { output } = await shell(confinedRunner(realClock), line, aDirectory());
    expect(Number(/^session (\d+)$/m.exec(output)?.[1])).toBeGreaterThan(0);
    for (const bound of [
      "data size 8589934592 8589934592",
      "file size 8589934592 8589934592",
      "core file size 0 0",
      "processes 2048 2048",
    ])
      expect(output).toContain(bound);
    const devices = [...output.matchAll(/^\/proc\/\S+ (\S+)$/gm)].map(([, device]) => device);
    expect(new Set(devices)).toEqual(new Set(["1:3"]));
  });

  test("a directory that was replaced by a link is not opened, and what it leads to is not either", async () => {
    const directory = aDirectory();
    const elsewhere = aDirectory();
    symlinkSync(elsewhere, join(directory, "home"));
    const runner = confinedRunner(realClock);
    const linked = {
      writable: [directory, elsewhere].map((one, at) => (at === 0 ? join(one, "home") : one)),
    };
    await expect(shell(runner, "true", elsewhere, linked)).rejects.toMatchObject({
      code: "unsafe_path",
      consequence: "stop",
      advice: expect.any(String),
    });
    // Within another one that it may write it is not mounted by itself.
    const within = { writable: [directory, join(directory, "home")] };
    const { output } = await shell(runner, "ls home/ || echo closed", directory, within);
    expect(output).toContain("closed");
  });

  test("what cannot be set up is said in bubblewrap's words, and counts as not started", async () => {
    const gone = { readable: [join(aDirectory(), "gone")] };
    await expect(shell(confinedRunner(realClock), "true", aDirectory(), gone)).rejects.toMatchObject({
      code: "command_not_started",
      message: expect.stringContaining("gone"),
    });
  });

  test("node, npm, perl and git are found by the PATH of the host", async () => {
    const cwd = aDirectory();
    const path = `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`;
    const line = `PATH=${path}; node -e 'console.log(process.version)'; git --version; perl -e 'print "perl\\n"'`;
    const { output } = await shell(confinedRunner(realClock), line, cwd);
    expect(output).toContain(`${process.version}\n`);
    expect(output).toContain("git version");
    expect(output).toContain("perl\n");
  });
});

test("a PATH opens each bin in it with what belongs to it, and nothing in or around a hidden directory", () => {
  const root = aDirectory();
  for (const path of [
    "tools/bin",
    "tools/lib/node",
    "tools/libexec",
    "tools/registry",
    "tools/.config",
    "srv/bin",
    "srv/data",
    "home/me/bin",
    "plain",
  ])
    mkdirSync(join(root, path), { recursive: true });
  for (const name of ["ca.pem", "pip.pem", "cargo.pem"])
    writeFileSync(join(root, "home/me", name), "certificate");
  symlinkSync(join(root, "home/me/bin"), join(root, "by-link"));
  const at = (path: string) => join(root, path);
  const env = {
    PATH: [
      at("tools/bin"),
      at("srv/bin"),
      at("home/me/bin"),
      at("by-link"),
      at("plain"),
      at("gone"),
      "rel",
      "/bin",
    ].join(":"),
    NODE_EXTRA_CA_CERTS: at("home/me/ca.pem"),
    PIP_CERT: at("home/me/pip.pem"),
    CARGO_HTTP_CAINFO: at("home/me/cargo.pem"),
  };
  const opened = toolchains(env, [at("srv/data"), at("home/me")]).map(({ to }) => to);
  expect(opened.filter((path) => path.startsWith(root))).toEqual([
    at("tools/bin"),
    at("tools/lib"),
    at("tools/libexec"),
    at("srv/bin"),
    at("plain"),
    at("home/me/ca.pem"),
    at("home/me/pip.pem"),
    at("home/me/cargo.pem"),
  ]);
  expect(opened).not.toContain("/");
  expect(opened).toContain(process.execPath);
});

test("a part of a tree that leads into a hidden directory is not shown", () => {
  const root = aDirectory();
  const at = (path: string) => join(root, path);
  for (const path of ["tools/bin", "home/me/lib"]) mkdirSync(at(path), { recursive: true });
  symlinkSync(at("home/me/lib"), at("tools/lib"));
  const opened = toolchains({ PATH: at("tools/bin") }, [at("home/me")]).map(({ to }) => to);
  expect(opened.filter((path) => path.startsWith(root))).toEqual([at("tools/bin")]);
});

const account = (uid: string, home: string) => `name:x:${uid}:1:Somebody:${home}:/bin/sh`;

test("the homes of root and of people are found, and no directory of the system", () => {
  const passwd = join(aDirectory(), "passwd");
  writeFileSync(
    passwd,
    [
      // Invented accounts: nothing of this machine is read.
      account("0", "/root"),
      account("1", "/usr/sbin"),
      account("33", "/var/www"),
      account("1000", "/home/ada"),
      account("1001", "/home/ada"),
      account("2000", "/srv/eve"),
      account("1002", "/"),
      account("1003", "/usr/share/x"),
      account("1004", ""),
      "+::::::",
      "",
    ].join("\n"),
  );
  expect(homeDirectories(passwd)).toEqual(["/root", "/home/ada", "/srv/eve"]);
  expect(homeDirectories(join(passwd, "none"))).toEqual([]);
});

test("git's data is found by our own layout alone", () => {
  const data = aDirectory();
  mkdirSync(join(data, "mirrors/7.git/worktrees/one"), { recursive: true });
  const found = (path: string) => gitDataOf(data, join(data, path));
  expect(found("worktrees/7/one")).toEqual({
    mirror: join(data, "mirrors/7.git"),
    entries: join(data, "mirrors/7.git/worktrees"),
    entry: join(data, "mirrors/7.git/worktrees/one"),
  });
  for (const path of [
    "worktrees/7/two",
    "worktrees/x/one",
    "worktrees/7",
    "worktrees/7/one/src",
    "sessions/7/one",
  ])
    expect(found(path)).toBeNull();
});
