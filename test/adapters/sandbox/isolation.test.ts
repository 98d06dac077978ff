import { execFileSync } from "node:child_process";
import { once } from "node:events";
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { getPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { findBubblewrap } from "../../../src/adapters/sandbox/find-bubblewrap.ts";
import { createBubblewrapIsolation } from "../../../src/adapters/sandbox/isolation.ts";
import { probeIsolation } from "../../../src/adapters/sandbox/probe-isolation.ts";
import type { Isolation, Mount } from "../../../src/domain/ports/runner.ts";
import { describeConfined } from "./bubblewrap-here.ts";

const PATH = process.env["PATH"] ?? "";

function scratch(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "flotilla-isolation-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const name of ["work", "read", "read/other", "read/other/inner", "outside"])
    mkdirSync(join(root, name));
  writeFileSync(join(root, "outside", "secret"), "secret");
  return root;
}

describeConfined("The isolation of our own git", () => {
  const isolation = createBubblewrapIsolation({ bwrap: findBubblewrap(PATH) ?? "bwrap", path: PATH });

  async function sh(line: string, mounts: readonly Mount[]): Promise<string> {
    const command = { file: "/bin/sh", args: ["-c", line], cwd: "/", env: { PATH } };
    const { file, args, env } = await isolation.confine(command, mounts);
    return execFileSync(file, args, { env, encoding: "utf8" }).trim();
  }

  it("shows what is mounted and the system's programs, and a link leads to nothing else", async () => {
    const root = scratch();
    const work = join(root, "work");
    symlinkSync(join(root, "outside"), join(work, "absolute"));
    symlinkSync("../outside", join(work, "relative"));
    symlinkSync("/proc/self/environ", join(work, "proc"));
    symlinkSync("/dev/zero", join(work, "zero"));
    const mounts = [{ from: work, to: work, writable: true }];
    expect(await sh(`cat ${work}/absolute/secret ${work}/relative/secret ${work}/proc; true`, mounts)).toBe(
      "",
    );
    expect(await sh(`[ -e ${work}/zero ] || ls -A / /dev /etc | tr '\\n' ' '`, mounts)).toMatch(
      /^\/: .*\/dev: null urandom\s+\/etc: ld\.so\.cache$/,
    );
    expect(await sh(`ls -A ${root}`, mounts)).toBe("work");
  });

  it("has no network, no capability and low priority, and nothing but what is given can be written", async () => {
    const root = scratch();
    const [work, read] = [join(root, "work"), join(root, "read")];
    const mounts = [
      { from: work, to: work, writable: true },
      { from: read, to: "/hidden", writable: false },
      { from: null, to: "/hidden/other", writable: false },
    ];
    const lower = Math.min(getPriority() + 10, 19);
    expect(await sh("nice; ulimit -c; ls -A /hidden/other", mounts)).toBe(`${lower}\n0`);
    await sh(
      `echo mine >${work}/file; for at in / /hidden /usr /dev /etc; do ! touch $at/file; done`,
      mounts,
    );
    expect(readFileSync(join(work, "file"), "utf8")).toBe("mine\n");
    const server = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" ? address?.port : null;
    const connect = `use Socket; socket(my $s, PF_INET, SOCK_STREAM, 0); print connect($s, sockaddr_in(${port}, inet_aton("127.0.0.1"))) ? "reached" : "none"`;
    expect(execFileSync("perl", ["-e", connect], { encoding: "utf8" })).toBe("reached");
    expect(await sh(`perl -e '${connect}'`, mounts)).toBe("none");
  });

  it("refuses to mount what is a link", async () => {
    const root = scratch();
    symlinkSync(join(root, "outside"), join(root, "moved"));
    const mounts = [{ from: join(root, "moved"), to: "/moved", writable: true }];
    await expect(sh("true", mounts)).rejects.toMatchObject({ code: "unsafe_path" });
  });

  it("is found to hold, and what is wrong is told where it does not", async () => {
    expect(await probeIsolation(isolation, PATH)).toEqual([]);
    const open: Isolation = { ...isolation, confine: (command) => Promise.resolve(command) };
    expect(await probeIsolation(open, PATH)).toEqual([
      expect.objectContaining({
        what: "git cannot be kept to the files of an agent: it sees files of the host",
      }),
    ]);
    const none: Isolation = {
      ...isolation,
      confine: (command) => isolation.confine({ ...command, env: {} }, []),
    };
    expect((await probeIsolation(none, PATH))[0]?.what).toContain(
      "git cannot be kept to the files of an agent",
    );
    const missing = createBubblewrapIsolation({ bwrap: "/nowhere/bwrap", path: PATH });
    expect((await probeIsolation(missing, PATH))[0]?.what).toContain("/nowhere/bwrap");
  });
});
