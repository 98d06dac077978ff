import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createAgentGroups } from "../../../src/adapters/sandbox/groups/agent-groups.ts";
import { notStarted } from "../../../src/adapters/sandbox/run-command.ts";
import type { Runner } from "../../../src/domain/ports/runner.ts";
import { realClock } from "../runtimes/real-harness.ts";
import { confinedRunner, describeConfined } from "./bubblewrap-here.ts";
import { bubblewrapThat } from "./false-bubblewrap.ts";
import { aGroupTree } from "./groups/group-tree.ts";

// Another run of these tests must not end the processes of this one, which it would find by their mark.
const DATA_DIR = `/data/${randomUUID()}`;

const RETRY = { code: "command_not_started", consequence: "retry", advice: /^It is tried again\. / };
const TELL = { code: "command_not_started", consequence: "tell", advice: /^Check that / };

function run(runner: Runner, file: string, ...args: readonly string[]) {
  return runner.run(
    { file, args, cwd: "/tmp", env: { PATH: "/usr/bin:/bin" } },
    {
      writable: [],
      readable: [],
      hosts: [],
      registries: false,
      mark: `commands-7@${DATA_DIR}/sessions/7`,
      timeoutMs: 60_000,
      signal: new AbortController().signal,
      maxOutputBytes: 1000,
    },
  );
}

const refusalOf = ({ advice, ...error }: typeof RETRY) => ({
  ...error,
  advice: expect.stringMatching(advice),
});

// A full machine cannot be had in a test. Node throws ENOMEM, and reports EAGAIN by an event; both come here.
test.each([
  ["spawn ENOMEM", RETRY],
  ["spawn /bin/true EAGAIN", RETRY],
  ["spawn /a EAGAIN/b ENOENT", TELL],
])("node says %j", (words, refusal) => {
  const command = { file: "/bin/true", args: [], cwd: "/tmp", env: {} };
  expect(notStarted(command, new Error(words))).toMatchObject(refusalOf(refusal));
});

test.each([
  ["bwrap has no process", "bwrap: Can't fork for pid 1: Resource temporarily unavailable", RETRY],
  ["bwrap has no memory", "bwrap: Creating new namespace failed: Cannot allocate memory", RETRY],
  ["the shell before it has no process", "/bin/sh: 1: Cannot fork", RETRY],
  ["a path has such words", "bwrap: Can't chdir to /a: Cannot fork: No such file or directory", TELL],
  ["a path ends with such words", "bwrap: execvp /a EAGAIN: No such file or directory", TELL],
])("why nothing started: %s", async (_, words, refusal) => {
  const bwrap = join(bubblewrapThat(`echo "${words}" >&2; exit 1`), "bwrap");
  const refused = run(confinedRunner(realClock, { bwrap }), "/bin/true");
  await expect(refused).rejects.toMatchObject({
    ...refusalOf(refusal),
    message: expect.stringContaining(words),
  });
});

describeConfined("in bubblewrap", () => {
  test.each([1, 125])("a command that prints such words and exits with %i has failed", async (code) => {
    const words = "bwrap: Can't fork for pid 1: Resource temporarily unavailable";
    const script = `echo "${words}" >&2; [ ! -e /proc/$$/fd/3 ] || echo "has the descriptor"; exit ${code}`;
    const ended = await run(confinedRunner(realClock), "/bin/sh", "-c", script);
    expect(ended).toMatchObject({ exitCode: code, output: `${words}\n` });
  });

  test("a command whose group is gone did not start, which is no failure of its own", async () => {
    const { files, service, children } = aGroupTree();
    const log = { debug() {}, info() {}, warn() {}, error() {} };
    const groups = await createAgentGroups({
      files,
      base: service,
      dataDir: DATA_DIR,
      memoryBytes: null,
      processes: 9,
      log,
    });
    const enter: typeof groups.enter = (command, mark) => {
      const stay = groups.enter(command, mark);
      for (const name of children(service)) files.remove(join(service, name));
      return stay;
    };
    const refused = run(confinedRunner(realClock, { groups: { ...groups, enter } }), "/bin/true");
    await expect(refused).rejects.toMatchObject({
      code: "command_not_started",
      message: expect.stringContaining("cgroup.procs"),
    });
  });
});
