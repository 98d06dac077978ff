import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { removeTree } from "../../../../src/adapters/git/worktree/remove-tree.ts";
import {
  begunConversation,
  deleteConversation,
  ID_FILE,
  keepAgentId,
  readAgentId,
} from "../../../../src/adapters/runtimes/acp/conversation.ts";
import {
  conversationFiles,
  isOfConversation,
  patternsOf,
  renameFiles,
  writeBelow,
} from "../../../../src/adapters/runtimes/acp/conversation-files.ts";
import { portableConversations } from "../../../../src/adapters/runtimes/acp/portable-conversation.ts";
import { packFiles, unpackFiles } from "../../../../src/adapters/runtimes/process/packed-files.ts";
import { temporaryDirectory } from "../../store/temporary.ts";

const FILES = ["state/*/{id}.jsonl", "state/index"];
const preset = { conversation: { files: FILES, portable: true } };

const restsAs = (name: string) => name.replace("b", "a");
const clean = (text: string) => text.replaceAll("hunter2", "[hidden]");

/** A session's directory in which the agent has written these files, beside one that is not its own. */
function given(files: Readonly<Record<string, string>> = {}) {
  const root = temporaryDirectory();
  const place = { sessionId: "s1", baseDirectory: join(root, "base"), sentFile: join(root, "sent") };
  mkdirSync(join(place.baseDirectory, "state"), { recursive: true });
  mkdirSync(join(root, "outside"));
  writeFileSync(join(root, "outside/secret"), "secret");
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(place.baseDirectory, path, ".."), { recursive: true });
    writeFileSync(join(place.baseDirectory, path), text);
  }
  return { root, place, base: place.baseDirectory };
}

it("looks at so many names in all, however an agent spreads them over directories", async () => {
  const { base } = given({ "state/index": "x" });
  const patterns = patternsOf(["state/*/{id}.jsonl", "state/index"], "a");
  expect(await conversationFiles(base, patterns)).toEqual(["state/index"]);
  for (let directory = 0; directory < 101; directory += 1) {
    mkdirSync(join(base, `state/${directory}`));
    for (let name = 0; name < 100; name += 1) writeFileSync(join(base, `state/${directory}/${name}`), "");
  }
  expect(await conversationFiles(base, patterns)).toEqual([]);
});

it("finds the files of one conversation, whatever its id is", async () => {
  const id = "a.b[c]*";
  const { base } = given({
    [`state/one/${id}.jsonl`]: "{}",
    "state/one/aXb.jsonl": "{}",
    "state/two/other.jsonl": "{}",
    "state/index": "x",
    "elsewhere/index": "x",
  });
  expect(await conversationFiles(base, patternsOf(FILES, id))).toEqual([
    "state/index",
    `state/one/${id}.jsonl`,
  ]);
});

it("follows no link, and takes nothing that is no file", async () => {
  const { root, base } = given({ "state/one/x": "" });
  writeFileSync(join(root, "outside/a.jsonl"), "{}");
  symlinkSync(join(root, "outside"), join(base, "state/linked"));
  symlinkSync(join(root, "outside/secret"), join(base, "state/index"));
  execFileSync("mkfifo", [join(base, "state/one/a.jsonl")]);
  expect(await conversationFiles(base, patternsOf(FILES, "a"))).toEqual([]);
});

it("a file is renamed in its own directory, and one that has the name already stays", async () => {
  const { base } = given({
    "state/one/b.jsonl": "new",
    "state/two/b.jsonl": "newer",
    "state/two/a.jsonl": "old",
  });
  symlinkSync(join(base, "state/one"), join(base, "state/linked"));
  await renameFiles(base, await conversationFiles(base, patternsOf(["state/*/*.jsonl"], "a")), restsAs);
  const found = await conversationFiles(base, patternsOf(["state/*/*.jsonl"], "a"));
  expect(found.map((path) => [path, readFileSync(join(base, path), "utf8")])).toEqual([
    ["state/one/a.jsonl", "new"],
    ["state/two/a.jsonl", "old"],
    ["state/two/b.jsonl", "newer"],
  ]);
});

it.each([
  "state/../a.jsonl",
  "state/one/two/a.jsonl",
  "state/./a.jsonl",
  "/state/one/a.jsonl",
  "state/one/b.jsonl",
  "",
])("%j is no path of the conversation", (path) => {
  expect(isOfConversation(path, patternsOf(FILES, "a"))).toBe(false);
});

it("writes a file anew in place of whatever the agent has put there, and touches nothing else", async () => {
  const { root, base } = given();
  symlinkSync(join(root, "outside/secret"), join(base, "state/settings.json"));
  await writeBelow(base, "state/settings.json", "ours", removeTree);
  expect(readFileSync(join(base, "state/settings.json"), "utf8")).toBe("ours");

  symlinkSync(join(root, "outside"), join(base, "config"));
  await writeBelow(base, "config/secret", "ours", removeTree);
  expect(readFileSync(join(base, "config/secret"), "utf8")).toBe("ours");

  mkdirSync(join(base, "state/dir/full"), { recursive: true });
  await writeBelow(base, "state/dir", "ours", removeTree);
  expect(readFileSync(join(base, "state/dir"), "utf8")).toBe("ours");
  expect(readFileSync(join(root, "outside/secret"), "utf8")).toBe("secret");
});

it("a conversation is begun once its id is kept and its file has something in it", async () => {
  const { place, base } = given();
  expect(await begunConversation(place, preset)).toBeNull();
  await keepAgentId(place, "theirs-1", removeTree);
  expect(await begunConversation(place, preset)).toBeNull();
  mkdirSync(join(base, "state/p"));
  writeFileSync(join(base, "state/p/theirs-1.jsonl"), "");
  // Made before the agent had anything to write.
  expect(await begunConversation(place, preset)).toBeNull();
  writeFileSync(join(base, "state/p/theirs-1.jsonl"), "{}\n");
  expect(await begunConversation(place, preset)).toBe("theirs-1");
  expect(await begunConversation({ ...place, sessionId: "s2" }, preset)).toBeNull();
  await deleteConversation(place, removeTree);
  await deleteConversation(place, removeTree);
  expect(existsSync(join(base, "state"))).toBe(false);
  expect(await readAgentId(place)).toBeNull();
});

it.each([
  ["nonsense", "nonsense"],
  ["another shape", '{"ours":"s1","agents":7}'],
  ["an id that leads elsewhere", '{"ours":"s1","agents":"../../outside"}'],
  ["an id without end", JSON.stringify({ ours: "s1", agents: "x".repeat(5000) })],
])(
  "an agent that writes %s into the file of its id loses its conversation, and nothing else",
  async (_, text) => {
    const { place } = given({ [ID_FILE]: text });
    expect(await readAgentId(place)).toBeNull();
  },
);

it("a link in place of the file of the id is not followed", async () => {
  const { root, base, place } = given();
  writeFileSync(join(root, "outside/id"), '{"ours":"s1","agents":"theirs"}');
  symlinkSync(join(root, "outside/id"), join(base, ID_FILE));
  expect(await readAgentId(place)).toBeNull();
  await keepAgentId(place, "new", removeTree);
  expect(readFileSync(join(root, "outside/id"), "utf8")).toContain("theirs");
  expect(await readAgentId(place)).toBe("new");
});

it("a portable conversation has only regular files, with cleaned texts, and comes back in their places", async () => {
  const { root, place, base } = given({
    "state/p/a.jsonl": '{"text":"the key is hunter2"}\n{"text":"fine"}\n{"cut off',
    "state/q/secrets": "not of the conversation",
  });
  symlinkSync(join(root, "outside/secret"), join(base, "state/index"));
  writeFileSync(place.sentFile, '\n["c1","hunter2"]');
  const portable = portableConversations(preset, removeTree);
  expect(await portable.isThere(place)).toBe(false);
  expect(await portable.pack(place, clean)).toBeNull();
  await keepAgentId(place, "a", removeTree);
  const packed = await portable.pack(place, clean);
  const files = await unpackFiles(packed ?? new Uint8Array());
  expect(files.map(({ name, bytes }) => [name, Buffer.from(bytes).toString()])).toEqual([
    ["id", "a"],
    ["file/state/p/a.jsonl", '{"text":"the key is [hidden]"}\n{"text":"fine"}\n'],
    ["sent", '\n["c1","[hidden]"]\n'],
  ]);
  const other = given();
  await portable.unpack(other.place, packed ?? new Uint8Array());
  expect(await portable.isThere(other.place)).toBe(true);
  expect(readFileSync(join(other.base, "state/p/a.jsonl"), "utf8")).toContain("[hidden]");
  expect(readFileSync(other.place.sentFile, "utf8")).toContain("[hidden]");
});

it("a pack writes nothing but files of its conversation", async () => {
  const { place, root, base } = given();
  const portable = portableConversations(preset, removeTree);
  const bytes = Buffer.from("planted");
  const names = [
    "file/../outside/planted",
    "file/state/../../outside/planted",
    "file/home/.profile",
    "other",
  ];
  const files = ["file/state/p/a.jsonl", ...names].map((name) => ({ name, bytes }));
  await portable.unpack(place, await packFiles([{ name: "id", bytes: Buffer.from("a") }, ...files]));
  expect(await portable.isThere(place)).toBe(true);
  expect(existsSync(join(root, "outside/planted"))).toBe(false);
  expect(existsSync(join(base, "home"))).toBe(false);

  await expect(portable.unpack(place, Buffer.from("no pack"))).rejects.toMatchObject({
    code: "session_damaged",
  });
  const badId = await packFiles([{ name: "id", bytes: Buffer.from("../a") }]);
  await expect(portable.unpack(place, badId)).rejects.toMatchObject({
    code: "session_damaged",
    consequence: "stop",
  });
});
