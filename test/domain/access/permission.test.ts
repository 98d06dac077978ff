import { expect, test } from "vitest";
import { reaches } from "../../../src/domain/access/permission.ts";

const ALL = ["none", "read", "triage", "write", "maintain", "admin"] as const;

test.each([
  ["write", ["write", "maintain", "admin"]],
  ["maintain", ["maintain", "admin"]],
  ["admin", ["admin"]],
] as const)("%s is reached by %j only", (needed, enough) => {
  expect(ALL.filter((permission) => reaches(permission, needed))).toEqual(enough);
});
