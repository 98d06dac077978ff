import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { agentDirectories } from "../../src/server/session-directories.ts";

test("all of an agent's own directories go, read-only ones too, and nothing of another's, shared, or behind a link", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "flotilla-directories-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const directories = agentDirectories(dataDir);
  const home = await directories.home(7);
  const others = [await directories.home(8), await directories.cache(3, ["npm"])];
  const evaluation = await directories.evaluation(7);
  const [sent, sentByOther] = [await directories.sentFile(7), await directories.sentFile(8)];
  for (const file of [sent, sentByOther]) writeFileSync(file, "");
  mkdirSync(join(home, "go/pkg"), { recursive: true });
  writeFileSync(join(home, "go/pkg/mod"), "");
  chmodSync(join(home, "go/pkg"), 0o500);
  writeFileSync(join(dataDir, "outside"), "");
  symlinkSync(dataDir, join(home, "link"));
  await directories.drop(7);
  expect([join(dataDir, "sessions/7"), evaluation, sent].filter(existsSync)).toEqual([]);
  expect([...others, sentByOther, join(dataDir, "outside")].filter((path) => !existsSync(path))).toEqual([]);
  await directories.drop(7);
});

test.each(["home", "workplace", "npm"])(
  "what an agent has put in the place of its %s is deleted and not followed",
  async (name) => {
    const dataDir = mkdtempSync(join(tmpdir(), "flotilla-directories-"));
    onTestFinished(() => rmSync(dataDir, { recursive: true }));
    const directories = agentDirectories(dataDir);
    const make = {
      home: () => directories.home(7),
      workplace: () => directories.workplace(7),
      npm: async () => join(await directories.cache(3, ["npm"]), "npm"),
    }[name];
    if (make === undefined) throw new Error(name);
    const path = await make();
    const outside = join(dataDir, "outside");
    mkdirSync(outside);
    for (const target of [outside, "/dev/zero", "nowhere", name]) {
      rmSync(path, { recursive: true });
      symlinkSync(target, path);
      expect(await make()).toBe(path);
      expect(lstatSync(path).isDirectory()).toBe(true);
      expect(existsSync(outside)).toBe(true);
    }
  },
);
