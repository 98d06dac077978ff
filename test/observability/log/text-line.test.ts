import { expect, it } from "vitest";
import { createTextLine } from "../../../src/observability/log/text-line.ts";

const at = { level: "info", time: "2026-11-28T12:08:05.123Z" };
const shown = (fields: object, line = createTextLine()) => line(JSON.stringify({ ...at, ...fields }));

it("tells a story: when, where, who, what, why, by whom; ids are left out", () => {
  expect(
    shown({
      delivery: "d-1",
      effect: "e-1",
      run: 3,
      where: "acme/app#3",
      repository: 7,
      issue: 3,
      agent: "docs-dev-issue-3",
      what: "is paused",
      why: "wait a moment",
      by: "mona",
      msg: "moved",
    }),
  ).toBe("12:08:05Z  acme/app#3  docs-dev-issue-3 is paused: wait a moment (by mona)");
});

it("names no agent as the one that decides", () => {
  expect(
    shown({
      where: "acme/app#3",
      agent: "a-issue-3",
      what: "no slot free",
      why: "all in use",
      msg: "decided",
    }),
  ).toBe("12:08:05Z  acme/app#3  no slot free: all in use  agent=a-issue-3");
});

it("tells what is wrong with its level and fields, and of an error only its message", () => {
  const error = { type: "TypeError", message: "no such thing", stack: "TypeError: no such thing\n    at x" };
  expect(
    shown({ level: "warn", error, path: "/x", none: null, list: [], timedOut: false, msg: "not read" }),
  ).toBe('12:08:05Z  WARN  not read  error="TypeError: no such thing"  path=/x');
});

it("knows the name of a repository once it has read it", () => {
  const line = createTextLine();
  expect(shown({ repository: 7, issue: 4, msg: "command ended" }, line)).toBe("12:08:05Z  command ended");
  shown({ where: "acme/app#3", repository: 7, issue: 3, what: "is done", msg: "moved" }, line);
  expect(shown({ repository: 7, issue: 4, msg: "command ended" }, line)).toBe(
    "12:08:05Z  acme/app#4  command ended",
  );
  expect(shown({ repository: 8, issue: 4, msg: "command ended" }, line)).toBe("12:08:05Z  command ended");
});
