import { expect, it } from "vitest";
import { askedBy, coAuthor } from "../../../src/domain/tasks/co-author.ts";

it("a person is a co-author by the address that GitHub gives the account; a bot and an organization are none", () => {
  expect(coAuthor({ id: 7, login: "alice", type: "User" })).toBe("alice <7+alice@users.noreply.github.com>");
  expect(coAuthor({ id: 8, login: "renovate[bot]", type: "Bot" })).toBeNull();
  expect(coAuthor({ id: 9, login: "acme", type: "Organization" })).toBeNull();
});

it("who asked last counts, and an attempt that nobody asked for is of who asked before", () => {
  expect(askedBy(["alice", "bob", "flotilla"], "flotilla")).toBe("bob");
  expect(askedBy(["flotilla"], "flotilla")).toBeNull();
  expect(askedBy([], "flotilla")).toBeNull();
  expect(askedBy(["alice", "operator:root"], "flotilla")).toBeNull();
});
