import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { CANARY, layCanary } from "./canary.ts";
import { inPerl, startRacer } from "./racer.ts";

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function scratch(): string {
  const root = mkdtempSync(join(tmpdir(), "flotilla-races-"));
  onTestFinished(() => {
    rmSync(root, { recursive: true, force: true });
  });
  return root;
}

describe.each([
  ["the compiled racer", undefined],
  ["perl's racer", inPerl()],
])("%s", (_name, program) => {
  it("exchanges what it is given, makes again what is gone, and ends when asked to", async () => {
    const root = scratch();
    const [first, link] = [join(root, "first"), join(root, "link")];
    mkdirSync(first);
    symlinkSync("nowhere", link);
    const racer = await startRacer([{ as: "directory", first, link, target: "nowhere" }], program);
    renameSync(first, join(root, "taken-first"));
    renameSync(link, join(root, "taken-link"));
    await expect.poll(() => isThere(first) && isThere(link)).toBe(true);
    await racer.pause();
    const paused = racer.exchanges();
    expect(paused).toBeGreaterThan(0);
    await racer.pause();
    expect(racer.exchanges()).toBe(paused);
    racer.resume();
    await expect.poll(() => racer.exchanges()).toBeGreaterThan(paused);
    expect(await racer.stop()).toBeGreaterThan(paused);
    expect(() => process.kill(racer.pid, 0)).toThrow("ESRCH");
  });

  it("has a link again after both of a pair became directories", async () => {
    const root = scratch();
    const [first, link] = [join(root, "first"), join(root, "link")];
    const links = () => [first, link].filter((path) => lstatSync(path).isSymbolicLink());
    mkdirSync(first);
    symlinkSync("nowhere", link);
    const racer = await startRacer([{ as: "directory", first, link, target: "nowhere" }], program);
    await racer.pause();
    for (const path of links()) rmSync(path);
    for (const path of [first, link]) mkdirSync(path, { recursive: true });
    expect(links()).toEqual([]);
    await racer.renew();
    const renewed = racer.exchanges();
    await expect.poll(() => racer.exchanges()).toBeGreaterThan(renewed);
    await racer.pause();
    expect(links()).toHaveLength(1);
    await racer.renew();
    await racer.pause();
    expect(links()).toHaveLength(1);
    await racer.stop();
  });
});

describe("a canary", () => {
  it("stands in each of its files", async () => {
    const { directory } = await layCanary(join(scratch(), "outside"));
    const files = ["file.txt", "secret.txt", "pipe", "kept/a.txt", "kept/deep/b.txt", "closed/c.txt"];
    const texts = files.map((file) => readFileSync(join(directory, file), "utf8"));
    expect(texts.every((text) => text.includes(CANARY))).toBe(true);
  });

  it.each<readonly [string, (directory: string) => void, RegExp]>([
    ["read", (at) => void readFileSync(join(at, "kept/a.txt")), /^read: kept\/a.txt$/],
    ["written", (at) => writeFileSync(join(at, "kept/a.txt"), "x"), /^kept\/a.txt: .* became 600 x$/],
    ["deleted", (at) => rmSync(join(at, "kept/deep/b.txt")), /^kept\/deep\/b.txt: .* became none$/],
    ["given another mode", (at) => chmodSync(join(at, "closed"), 0o755), /^closed: 711 .* became 755 /],
    ["added to", (at) => writeFileSync(join(at, "new"), ""), /^new: none became 644 $/],
  ])("that was %s says so", async (_how, touch, expected) => {
    const canary = await layCanary(join(scratch(), "outside"));
    expect(await canary.touched()).toEqual([]);
    touch(canary.directory);
    expect(await canary.touched()).toContainEqual(expect.stringMatching(expected));
  });
});
