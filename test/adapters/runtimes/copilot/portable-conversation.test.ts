import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { removeTree } from "../../../../src/adapters/git/worktree/remove-tree.ts";
import { portableConversations } from "../../../../src/adapters/runtimes/copilot/portable-conversation.ts";
import { packFiles } from "../../../../src/adapters/runtimes/process/packed-files.ts";

const portable = portableConversations(removeTree);
const marked = (text: string) => text.replaceAll("hello", 'a "mark"');
const asIs = (text: string) => text;
const LOG = '{"type":"user","text":"hello"}\n';

async function aConversation() {
  const root = await mkdtemp(join(tmpdir(), "flotilla-portable-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const place = { sessionId: "s-1", baseDirectory: join(root, "base"), sentFile: join(root, "sent") };
  const directory = join(place.baseDirectory, "session-state", "s-1");
  await mkdir(join(directory, "checkpoints"), { recursive: true });
  await writeFile(join(directory, "events.jsonl"), LOG);
  await writeFile(join(directory, "checkpoints", "001-begin.md"), "summary");
  await writeFile(place.sentFile, '{"role":"user"}\n');
  const secret = join(root, "secret");
  await writeFile(secret, "not theirs\n");
  return { root, place, directory, secret };
}

type Conversation = Awaited<ReturnType<typeof aConversation>>;

/** What comes back in an empty place. */
async function comesBack({ root, place }: Conversation, packed: Uint8Array | null): Promise<string> {
  const other = { ...place, baseDirectory: join(root, "other"), sentFile: join(root, "other-sent") };
  await portable.unpack(other, packed ?? new Uint8Array());
  const found = execFileSync("find", [root, "-path", "*other*", "-type", "f", "-exec", "cat", "{}", "+"]);
  return found.toString();
}

it("brings back the log, summaries and what was sent", async () => {
  const given = await aConversation();
  await writeFile(join(given.directory, "workspace.yaml"), "cwd: /w\n");
  await writeFile(join(given.directory, "poison"), "an agent's own file");
  const back = await comesBack(given, await portable.pack(given.place, asIs));
  for (const text of [LOG, "summary", '{"role":"user"}', "cwd: /w"]) expect(back).toContain(text);
  expect(back).not.toContain("own file");
});

it("leaves out a last line that is not whole yet", async () => {
  const given = await aConversation();
  await writeFile(join(given.directory, "events.jsonl"), `${LOG}{"type":"tool`);
  expect(await comesBack(given, await portable.pack(given.place, asIs))).not.toContain("tool");
});

it("cleans each text of a line, which stays JSON", async () => {
  const given = await aConversation();
  expect(await comesBack(given, await portable.pack(given.place, marked))).toContain(
    '{"type":"user","text":"a \\"mark\\""}',
  );
});

it.each(["a link", "a pipe", "a directory", "a file that is too large"])(
  "packs nothing where the log is %s",
  async (what) => {
    const { place, directory, secret } = await aConversation();
    const log = join(directory, "events.jsonl");
    if (what === "a file that is too large") await truncate(log, 33 * 2 ** 20);
    else {
      await rm(log);
      if (what === "a link") await symlink(secret, log);
      else if (what === "a pipe") execFileSync("mkfifo", [log]);
      else await mkdir(log);
    }
    expect(await portable.pack(place, asIs)).toBeNull();
  },
);

it.each(["checkpoints", "session-state/s-1", "session-state"])(
  "reads nothing through a link in the place of %s",
  async (part) => {
    const given = await aConversation();
    const path = part === "checkpoints" ? join(given.directory, part) : join(given.place.baseDirectory, part);
    const outside = join(given.root, "outside");
    await mkdir(outside);
    await writeFile(join(outside, "001-begin.md"), "not theirs");
    await writeFile(join(outside, "events.jsonl"), "not theirs\n");
    await rm(path, { recursive: true });
    await symlink(outside, path);
    const packed = await portable.pack(given.place, asIs);
    const back = packed === null ? "" : await comesBack(given, packed);
    expect(back).not.toContain("not theirs");
  },
);

it("writes through no link that lies in its place", async () => {
  const given = await aConversation();
  const packed = await portable.pack(given.place, asIs);
  await rm(given.directory, { recursive: true });
  const outside = join(given.root, "outside");
  await mkdir(outside);
  await symlink(outside, given.directory);
  await rm(given.place.sentFile);
  await symlink(given.secret, given.place.sentFile);
  await portable.unpack(given.place, packed ?? new Uint8Array());
  expect(await portable.isThere(given.place)).toBe(true);
  expect(execFileSync("ls", [outside]).toString()).toBe("");
  expect(await readFile(given.secret, "utf8")).toBe("not theirs\n");
});

it("refuses what is no pack, and names that lead out", async () => {
  const { place, root } = await aConversation();
  const bytes = Buffer.from("x");
  const strange = await packFiles([
    { name: "events.jsonl", bytes: Buffer.from(LOG) },
    { name: "checkpoints/../../../../out.md", bytes },
    { name: "../out", bytes },
  ]);
  await portable.unpack(place, strange);
  expect(execFileSync("find", [root, "-name", "out*"]).toString()).toBe("");
  const refused = { code: "session_damaged" };
  await expect(portable.unpack(place, Buffer.from("no pack"))).rejects.toMatchObject(refused);
  await expect(portable.unpack(place, await packFiles([]))).rejects.toMatchObject(refused);
});
