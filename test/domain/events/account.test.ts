import { describe, expect, it } from "vitest";
import { accountType, GHOST, knownPermission } from "../../../src/domain/events/account.ts";

describe("what is known of an account without asking", () => {
  it.each([
    ["a person", { id: 5, type: "User" }, "ask"],
    ["the ghost", GHOST, "may not"],
    ["a listed bot", { id: 9, type: "Bot" }, "may"],
    ["another bot", { id: 5, type: "Bot" }, "may not"],
    ["a person with a listed id", { id: 9, type: "User" }, "ask"],
    ["an organization", { id: 9, type: "Organization" }, "may not"],
    ["a mannequin", { id: 9, type: "Mannequin" }, "may not"],
    ["another kind", { id: 9, type: "Other" }, "may not"],
  ] as const)("%s", (_, account, permission) => {
    expect(knownPermission(account, [9])).toBe(permission);
  });

  it.each([
    ["User", "User"],
    ["Bot", "Bot"],
    ["Organization", "Organization"],
    ["Mannequin", "Mannequin"],
    ["EnterpriseUserAccount", "Other"],
    [undefined, "Other"],
  ])("GitHub's kind %s is %s", (word, type) => {
    expect(accountType(word)).toBe(type);
  });
});
