import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, type Readable, Writable } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { standardStreams } from "../../src/cli/standard-streams.ts";
import { newTaskRecord } from "../../src/domain/tasks/task-record.ts";
import { repository } from "../adapters/store/samples.ts";
import { COMPILE_CACHE } from "../compile-cache.ts";
import { fileStore } from "../factories/file-store.ts";

const MAIN = join(import.meta.dirname, "../../src/main.ts");
const TASKS = 900;
/** Of each title: all of them together are far more than a pipe holds. */
const LONG = 2000;

let dataDir: string;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "whole-output-"));
  const store = await fileStore(join(dataDir, "flotilla.db"));
  await store.repositories.put(repository);
  await store.transaction(async ({ records }) => {
    for (let issue = 1; issue <= TASKS; issue += 1)
      await records.insert("task", {
        ...newTaskRecord,
        repositoryId: repository.id,
        issue,
        title: "x".repeat(LONG),
        state: "UNCLAIMED",
        createdAt: issue,
      });
  });
  await store.close();
});

afterAll(() => rmSync(dataDir, { recursive: true }));

/** `flotilla tasks …` in a process of its own, into a pipe that `read` reads. */
async function tasks<T>(args: readonly string[], read: (stdout: Readable) => Promise<T>) {
  const child = spawn(process.execPath, [MAIN, "tasks", ...args], {
    env: { PATH: process.env["PATH"] ?? "", ...COMPILE_CACHE, FLOTILLA_DATA_DIR: dataDir },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += String(chunk);
  });
  const closed = once(child, "close");
  const found = await read(child.stdout);
  const [code] = await closed;
  return { found, code: Number(code), stderr };
}

/** Takes a piece only when all else that can happen has happened: the writer is always ahead, and its pipe full. */
async function slowly(stdout: Readable): Promise<string> {
  const pieces: string[] = [];
  for await (const piece of stdout) {
    pieces.push(String(piece));
    await new Promise((resolve) => setImmediate(resolve));
  }
  return pieces.join("");
}

test("a list of more than a mebibyte reaches a slow reader whole, as lines and as JSON", async () => {
  const lines = await tasks([], slowly);
  expect(lines.found.length).toBeGreaterThan(1024 * 1024);
  expect(lines.found.trimEnd().split("\n")).toHaveLength(TASKS);
  const json = await tasks(["--json"], slowly);
  expect(JSON.parse(json.found)).toMatchObject({ tasks: { length: TASKS } });
  expect([lines, json].map(({ code, stderr }) => [code, stderr])).toEqual([
    [0, ""],
    [0, ""],
  ]);
});

test("a reader that leaves after the first line ends the command quietly", async () => {
  const { code, stderr } = await tasks([], async (stdout) => {
    await once(stdout, "data");
    stdout.destroy();
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
});

test("the exit waits for the last line, and says so when a line could not be written", async () => {
  const error = new PassThrough();
  const full = new Writable({
    write: (_chunk, _encoding, done) =>
      done(Object.assign(new Error("no space left on device"), { code: "ENOSPC" })),
  });
  const streams = standardStreams(full, error);
  streams.print("a line");
  expect(await streams.end(0)).toBe(2);
  expect(await streams.drained()).toBe(false);
  expect(String(error.read())).toBe("The output could not be written (no space left on device).\n");
});
