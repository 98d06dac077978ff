import { expect, it } from "vitest";
import { issueEdit } from "../../../src/domain/conversation/issue-edit.ts";

const was = { title: "Dark mode", body: "one\ntwo\nthree" };

it("tells nothing of an edit that changed nothing", () => {
  expect(issueEdit(was, was)).toBe("");
  expect(issueEdit(was, { ...was, body: "one\r\ntwo\r\nthree" })).toBe("");
});

it("tells the old and the new title", () => {
  expect(issueEdit(was, { ...was, title: "Light mode" })).toBe(
    'The title was "Dark mode" and is now "Light mode".',
  );
});

it.each([
  ["one\n2\nthree", "Taken out of the text:\n> two\n\nPut into the text:\n> 2"],
  ["one\nthree", "Taken out of the text:\n> two"],
  ["one\ntwo\ntwo\nthree", "Put into the text:\n> two"],
  ["one\ntwo\nthree\nfour", "Put into the text:\n> four"],
  ["", "Taken out of the text:\n> one\n> two\n> three"],
])("tells only the lines that changed: %j", (body, told) => {
  expect(issueEdit(was, { ...was, body })).toBe(told);
});

it("tells a bounded part of a long edit, and how much more there is", () => {
  const told = issueEdit(was, { ...was, body: "x".repeat(50_000) });
  expect(told.length).toBeLessThan(2_300);
  expect(told).toContain("[48002 more characters]");
});
