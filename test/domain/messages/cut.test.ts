import { expect, it } from "vitest";
import { cutHead, cutTail } from "../../../src/domain/messages/format.ts";

it("leaves a text that has room as it is", () => {
  expect(cutHead("a".repeat(60), 60)).toBe("a".repeat(60));
  expect(cutTail("a".repeat(60), 60)).toBe("a".repeat(60));
});

it("keeps the beginning or the end, says how much is missing, and is no longer than it may be", () => {
  const text = `begin${"-".repeat(200)}end`;
  expect(cutHead(text, 60)).toBe(`begin${"-".repeat(15)}… (cut: 188 characters)`);
  expect(cutTail(text, 60)).toBe(`(cut: 188 characters) …${"-".repeat(17)}end`);
});

it("leaves no half of a character", () => {
  const text = "\u{1F600}".repeat(60);
  expect(cutHead(text, 61).isWellFormed()).toBe(true);
  expect(cutTail(text, 61).isWellFormed()).toBe(true);
});
