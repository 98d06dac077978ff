import { execFile } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { inTemporary } from "../../bench/work.ts";

it("a temporary directory is gone after the work, with what is in it, and what came of it is kept", async () => {
  let place = "";
  const result = await inTemporary(async (directory) => {
    place = directory;
    writeFileSync(join(directory, "file"), "text");
    return "done";
  });
  expect([result, existsSync(place)]).toEqual(["done", false]);
  const failed = inTemporary(async (directory) => {
    place = directory;
    throw new Error("it failed");
  });
  await expect(failed).rejects.toThrow("it failed");
  expect(existsSync(place)).toBe(false);
});

it("a temporary directory is gone when the process exits in the midst of the work", async () => {
  const program = `
    import { inTemporary } from "./bench/work.ts";
    await inTemporary(async (directory) => {
      process.stdout.write(directory);
      process.exit(3);
    });`;
  const { promise, resolve } = Promise.withResolvers<{ code: unknown; place: string }>();
  execFile(process.execPath, ["--input-type=module-typescript", "--eval", program], (error, place) =>
    resolve({ code: error?.code, place }),
  );
  const { code, place } = await promise;
  expect(code).toBe(3);
  expect(place).toContain("flotilla-bench-");
  expect(existsSync(place)).toBe(false);
});
