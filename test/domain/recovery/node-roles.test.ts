import { expect, test } from "vitest";
import { ALL_ROLES, readRoles, writtenRoles } from "../../../src/domain/recovery/node-roles.ts";

test("roles are read in any order and case, and written in one order", () => {
  expect(readRoles("runner, Intake,runner")).toEqual({ roles: new Set(["intake", "runner"]) });
  expect(writtenRoles(new Set(["web", "intake"]))).toBe("intake,web");
  expect(readRoles(writtenRoles(ALL_ROLES))).toEqual({ roles: ALL_ROLES });
});

test("what is no role is named", () => {
  expect(readRoles("runner,driver,")).toEqual({ unknown: ["driver", ""] });
});
