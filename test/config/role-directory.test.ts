import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { roleDirectory } from "../../src/config/role-directory.ts";

const SHIPPED = resolve(import.meta.dirname, "../../config/roles");

test("who wrote no roles gets those that Flotilla brings, and who named a directory gets only that", () => {
  const cwd = mkdtempSync(join(tmpdir(), "flotilla-roles-"));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  expect(roleDirectory(cwd, "config/roles")).toBe(SHIPPED);
  expect(roleDirectory(cwd, "our/roles")).toBe(join(cwd, "our/roles"));
  mkdirSync(join(cwd, "config/roles"), { recursive: true });
  expect(roleDirectory(cwd, "config/roles")).toBe(join(cwd, "config/roles"));
});
