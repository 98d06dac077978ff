import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openTrialFile, readTrialFile } from "../../../src/cli/trial/trial-file.ts";
import { aCase, begun, wholeRun } from "../../domain/trial/made-trial.ts";

const root = mkdtempSync(join(tmpdir(), "flotilla-trial-file-"));
afterAll(() => rmSync(root, { recursive: true }));

let count = 0;
const aPath = () => {
  const path = join(root, `trial-${(count += 1)}.jsonl`);
  mkdirSync(own(path));
  return path;
};
const own = (path: string) => path.replace(".jsonl", ".work");

test("what was added is there after it is opened again, in order", async () => {
  const path = aPath();
  const file = await openTrialFile(path, own(path));
  await Promise.all([file.add(begun()), file.add(aCase(1)), ...wholeRun(1).map((line) => file.add(line))]);
  expect(file.lines.map(({ kind }) => kind)).toEqual(["trial", "case", "started", "worked", "run"]);
  await file.close();
  const again = await openTrialFile(path, own(path));
  expect(again.lines).toEqual(file.lines);
  await again.close();
  expect((await readTrialFile(path)).spent).toBe(0.5);
});

test("a last line that was being written is cut off, and the next one stands alone", async () => {
  const path = aPath();
  writeFileSync(path, `${JSON.stringify(begun())}\n${JSON.stringify(aCase(1)).slice(0, 40)}`);
  expect((await readTrialFile(path)).cases).toEqual([]);
  const file = await openTrialFile(path, own(path));
  expect(file.lines).toEqual([begun()]);
  await file.add(aCase(2));
  await file.close();
  expect(readFileSync(path, "utf8")).toBe(`${JSON.stringify(begun())}\n${JSON.stringify(aCase(2))}\n`);
});

test("a whole line that is none, and a file that is no trial, are refused and stay as they are", async () => {
  const path = aPath();
  writeFileSync(path, `${JSON.stringify(begun())}\n{"kind":"case"}\n`);
  await expect(openTrialFile(path, own(path))).rejects.toThrow(`line 2 of ${path}`);
  const notes = aPath();
  writeFileSync(notes, "My notes\n");
  await expect(openTrialFile(notes, own(notes))).rejects.toThrow(`line 1 of ${notes} is no JSON`);
  expect(readFileSync(notes, "utf8")).toBe("My notes\n");
  const headless = aPath();
  appendFileSync(headless, `${JSON.stringify(aCase(1))}\n`);
  await expect(openTrialFile(headless, own(headless))).rejects.toThrow("holds no trial");
  await expect(readTrialFile(aPath())).rejects.toThrow("cannot be read");
  const empty = aPath();
  writeFileSync(empty, "");
  await expect(readTrialFile(empty)).rejects.toThrow("holds no trial");
});

test("a file of somebody else whose one line has no end stays as it is", async () => {
  const path = aPath();
  for (const text of ["API_KEY=x", JSON.stringify({ kind: "case" })]) {
    writeFileSync(path, text);
    await expect(openTrialFile(path, own(path))).rejects.toThrow("holds no trial");
    expect(readFileSync(path, "utf8")).toBe(text);
  }
  writeFileSync(path, '{"kind":"trial","ver');
  const file = await openTrialFile(path, own(path));
  expect(file.lines).toEqual([]);
  await file.close();
});

test("two processes do not write one file", async () => {
  const path = aPath();
  const file = await openTrialFile(path, own(path));
  await expect(openTrialFile(path, own(path))).rejects.toThrow("another flotilla trial writes");
  await file.close();
  await (await openTrialFile(path, own(path))).close();
  const link = aPath();
  symlinkSync(path, link);
  await expect(openTrialFile(link, own(link))).rejects.toThrow("is a link");
});
