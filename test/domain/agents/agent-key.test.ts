import { createHash } from "node:crypto";
import { assert as assertProperty, constant, integer, oneof, property, stringMatching } from "fast-check";
import { describe, expect, it } from "vitest";
import {
  agentKey,
  agentName,
  issueOfName,
  parseAgentKey,
  sessionId,
} from "../../../src/domain/agents/agent-key.ts";

const role = stringMatching(/^[a-z]+(-[a-z]+){0,2}$/);
const issue = integer({ min: 1, max: 1_000_000 });
const attempt = integer({ min: 1, max: 99 });
const ephemeralAt = oneof(constant(null), integer({ min: 0, max: 4_000_000_000_000 }));

const digest = (text: string) => createHash("sha256").update(text).digest("hex");

describe("an agent's key", () => {
  it.each([
    [1, null, "feat-dev-issue-42"],
    [2, null, "feat-dev-issue-42.2"],
    [1, 1_766_361_600_999, "feat-dev-issue-42-1766361600"],
    [3, 1_766_361_600_000, "feat-dev-issue-42.3-1766361600"],
  ])("of attempt %s, ephemeral since %s, is %s", (number, at, name) => {
    expect(agentName({ role: "feat-dev", issue: 42, attempt: number, ephemeralAt: at })).toBe(name);
  });

  it("is read back as it was printed", () => {
    assertProperty(
      property(role, issue, attempt, ephemeralAt, (...[name, number, count, at]) => {
        const agent = agentName({ role: name, issue: number, attempt: count, ephemeralAt: at });
        expect(parseAgentKey(agentKey("acme/shop.js", agent))).toEqual({
          repository: "acme/shop.js",
          name: agent,
        });
      }),
    );
  });

  it.each([
    "",
    "feat-dev-issue-42",
    "acme:feat-dev-issue-42",
    "acme/shop",
    "acme/shop:",
    "acme/shop/more:a",
    "acme/shop:a b",
    "acme/shop:a/b",
    "acme/shop:a:b",
    " acme/shop:a",
  ])("is not %j", (text) => {
    expect(parseAgentKey(text)).toBeUndefined();
  });
});

describe("a conversation's id", () => {
  const agent = { repositoryId: 7, name: "feat-dev-issue-42" };

  it("is what the runtime accepts", () => {
    expect(sessionId(digest, agent, 3)).toMatch(/^flotilla-[0-9a-f]{16}-3$/);
  });

  it("differs by repository, agent and conversation, and by nothing else", () => {
    const ids = [
      sessionId(digest, agent, 1),
      sessionId(digest, agent, 2),
      sessionId(digest, { ...agent, repositoryId: 8 }, 1),
      sessionId(digest, { ...agent, name: "feat-dev-issue-42.2" }, 1),
    ];
    expect(new Set(ids).size).toBe(4);
    expect(sessionId(digest, { ...agent }, 1)).toBe(ids[0]);
  });
});

it.each([
  ["feat-dev-issue-42", 42],
  ["feat-dev-issue-42.2", 42],
  ["triage-issue-7-1766356800", 7],
  ["triage-issue-7.3-1766356800", 7],
  ["a-issue-3-issue-4", 4],
  ["feat-dev-issue-", null],
  ["feat-dev", null],
  ["feat-dev-issue-42.x", null],
])("the issue of %s is %j", (name, number) => {
  expect(issueOfName(name)).toBe(number);
});
