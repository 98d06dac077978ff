import { appendFile, chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { claude } from "../../../src/adapters/runtimes/acp/presets/claude.ts";
import { runtimes } from "../../../src/cli/commands/runtimes.ts";

const { name = "", version = "" } = claude.package ?? {};

/** `flotilla runtimes add claude`, with an npm of ours that puts two files and a link. */
async function given() {
  const root = await mkdtemp(join(tmpdir(), "flotilla-add-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const bin = join(root, "bin");
  const data = join(root, "data");
  await mkdir(bin);
  await mkdir(data);
  const npm = `#!/bin/sh
mkdir -p node_modules/${name}/lib node_modules/.bin
echo '{ "version": "${version}" }' > node_modules/${name}/package.json
echo 'work()' > node_modules/${name}/lib/agent.js
ln -s ../${name}/lib/agent.js node_modules/.bin/agent
`;
  await writeFile(join(bin, "npm"), npm);
  await chmod(join(bin, "npm"), 0o755);
  const directory = join(data, "runtimes/claude");
  const add = async (options = {}): Promise<string> => {
    const lines: string[] = [];
    const print = (line: string): void => void lines.push(line);
    const env = { PATH: `${bin}:/usr/bin:/bin`, HOME: root, FLOTILLA_DATA_DIR: data };
    const code = await runtimes.run({
      env,
      cwd: root,
      args: ["add", "claude"],
      options,
      print,
      complain: print,
    });
    expect(code).toBe(0);
    return lines.join("\n");
  };
  return { add, directory, file: join(directory, "node_modules", name, "lib/agent.js") };
}

const FILE = `node_modules/${name}/lib/agent.js`;

test("an installation whose files are whole stays", async () => {
  const { add, directory } = await given();
  expect(await add()).toContain("Claude Code is installed.");
  await writeFile(join(directory, "mark"), "");
  expect(await add()).toBe(
    `Claude Code is already installed, and its files are whole: ${name} ${version}, in ${directory}.`,
  );
  expect(JSON.parse(await add({ json: true }))).toMatchObject({ installed: false, damage: null });
  await readFile(join(directory, "mark"));
});

test.each<[string, (place: { file: string; directory: string }) => Promise<void>, string]>([
  ["a file is altered", ({ file }) => appendFile(file, "x"), `${FILE} is missing or altered`],
  ["a file is missing", ({ file }) => rm(file), `${FILE} is missing or altered`],
  [
    "several are missing",
    async ({ directory, file }) => {
      await rm(file);
      await rm(join(directory, "node_modules/.bin/agent"));
    },
    ", and 1 more are missing or altered",
  ],
  [
    "nobody knows what its files were",
    ({ directory }) => writeFile(join(directory, "installed-files.json"), "nonsense"),
    "the list of its files is missing",
  ],
])("an installation of which %s is repaired, and says what was wrong", async (_, spoil, damage) => {
  const { add, file, directory } = await given();
  await add();
  await spoil({ file, directory });
  const text = await add();
  expect(text).toContain("Claude Code is damaged: ");
  expect(text).toContain(`${damage}. It is installed again.`);
  expect(text).toContain("Claude Code is repaired.");
  expect(await readFile(file, "utf8")).toBe("work()\n");
  expect(await add()).toContain("its files are whole");
});
