import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { removeTree } from "../../../../src/adapters/git/worktree/remove-tree.ts";
import { deleteConversation } from "../../../../src/adapters/runtimes/copilot/conversation.ts";
import { DAMAGES } from "./damage.ts";

const CONVERSATION = join(import.meta.dirname, "../../../../src/adapters/runtimes/copilot/conversation.ts");
const LIMIT_MS = 40_000;
const MIB = 1024 * 1024;

/** A directory as an agent has it after a first exchange. */
function anAgentsDirectory(): { base: string; conversation: string; log: string } {
  const base = mkdtempSync(join(tmpdir(), "flotilla-planted-"));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const conversation = join(base, "session-state", "s1");
  mkdirSync(conversation, { recursive: true });
  const log = join(conversation, "events.jsonl");
  writeFileSync(log, '{"type":"session.start"}\n{"type":"user.message"}\n');
  return { base, conversation, log };
}

/**
 * In a process of its own, which what is planted may end or hold up: saves four times, opens, then reads another file.
 * Returns what came of it, and the most memory that it took.
 */
async function saveAndOpen(base: string): Promise<{ opened: string; read: number; mostBytes: number }> {
  const source = `
    import { readFile } from "node:fs/promises";
    import { openConversation, syncConversation } from ${JSON.stringify(CONVERSATION)};
    const place = { sessionId: "s1", baseDirectory: ${JSON.stringify(base)} };
    for (let i = 0; i < 4; i += 1) void syncConversation(place).catch(() => {});
    const client = {
      createSession: async () => "created",
      getSessionMetadata: async () => ({}),
      resumeSession: async () => "resumed",
      ping: async () => {},
    };
    const watch = { clock: { now: () => 0, after: () => () => {} }, pingEveryMs: 1, limitMs: 1 };
    const options = { watch, removeTree: async () => {} };
    const opened = await openConversation(client, place, {}, options).catch((error) => ({ session: error.code }));
    const read = (await readFile("/proc/self/stat")).length;
    // Not maxRSS: a child begins with that of its parent.
    const mostBytes = 1024 * Number(/VmHWM:\\s+(\\d+)/.exec(await readFile("/proc/self/status", "utf8"))[1]);
    process.stdout.write(JSON.stringify({ opened: opened.session, read, mostBytes }), () => process.exit());
  `;
  const args = ["--input-type=module", "-e", source];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    timeout: LIMIT_MS,
    killSignal: "SIGKILL",
  });
  return JSON.parse(stdout);
}

/** Where nothing was said, a conversation is begun; what is a file is the runtime's to judge. */
const OPENED: Readonly<Record<string, string>> = {
  "cut short": "created",
  "an empty file": "created",
  nothing: "created",
  "random bytes": "resumed",
  "a line of 600 MB": "resumed",
  "no rights": "resumed",
};

test.each(Object.entries(DAMAGES))("a log that became %s holds nothing up", async (name, damage) => {
  const { base, log } = anAgentsDirectory();
  damage(log, () => 0.1);
  const { opened, read, mostBytes } = await saveAndOpen(base);
  expect(opened).toBe(OPENED[name] ?? "session_damaged");
  expect(read).toBeGreaterThan(0);
  expect(mostBytes).toBeLessThan(200 * MIB);
});

const NEVER_READ = ["a pipe", "a socket", "a link to /dev/zero", "a link to itself"];

test.each(NEVER_READ)("%s beside the log is found before the runtime is asked", async (name) => {
  const { base, conversation } = anAgentsDirectory();
  DAMAGES[name]?.(join(conversation, "workspace.yaml"), () => 0.1);
  expect((await saveAndOpen(base)).opened).toBe("session_damaged");
});

test("a pipe in a directory beside the log is found too, a link there is the agent's own", async () => {
  const { base, conversation } = anAgentsDirectory();
  mkdirSync(join(conversation, "checkpoints"));
  symlinkSync("elsewhere", join(conversation, "checkpoints", "link"));
  expect((await saveAndOpen(base)).opened).toBe("resumed");
  DAMAGES["a pipe"]?.(join(conversation, "checkpoints", "index.md"), () => 0.1);
  expect((await saveAndOpen(base)).opened).toBe("session_damaged");
});

test.each(["session-state", "session-state/s1", "session-state/s1/events.jsonl"])(
  "a link in the place of %s is not followed",
  async (name) => {
    const { base } = anAgentsDirectory();
    const elsewhere = anAgentsDirectory();
    writeFileSync(elsewhere.log, "");
    rmSync(join(base, name), { recursive: true });
    symlinkSync(join(elsewhere.base, name), join(base, name));
    // The log that the link leads to is empty: it would be begun.
    expect((await saveAndOpen(base)).opened).toBe("session_damaged");
  },
);

test.each(["session-state", "session-state/s1"])(
  "deleting a conversation deletes nothing behind a link in the place of %s",
  async (name) => {
    const { base } = anAgentsDirectory();
    const elsewhere = anAgentsDirectory();
    rmSync(join(base, name), { recursive: true });
    symlinkSync(join(elsewhere.base, name), join(base, name));
    await deleteConversation({ sessionId: "s1", baseDirectory: base }, removeTree);
    expect(readFileSync(elsewhere.log, "utf8")).toContain("user.message");
  },
);
