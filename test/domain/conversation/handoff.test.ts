import { describe, expect, it } from "vitest";
import {
  contextFull,
  type HandoffRow,
  hostHandoff,
  handoffBrief as markedHandoffBrief,
} from "../../../src/domain/conversation/handoff.ts";
import { plain } from "../text/plain.ts";

const handoffBrief = plain(markedHandoffBrief);

const row: HandoffRow = {
  id: 1,
  agentId: 1,
  sessionId: "s-1",
  cause: "context",
  writtenBy: "agent",
  summary: "Half done.",
  nextAction: "The rest.",
  repeated: null,
  createdAt: 0,
};

it.each([
  [899, 1000, false],
  [900, 1000, true],
  [1200, 1000, true],
  [5, 0, false],
])("%i tokens of %i are a full context: %s", (tokens, limit, full) => {
  expect(contextFull(tokens, limit)).toBe(full);
});

describe("the host's handoff", () => {
  it("tells the plan, the files that were changed, and what was said last", () => {
    const { summary, nextAction } = hostHandoff({
      plan: "1. parse 2. print",
      files: ["a.ts", "b.ts"],
      messages: ["Now I print.", " "],
    });
    expect(summary).toBe(
      "The plan was:\n1. parse 2. print\n\nChanged so far: a.ts, b.ts.\n\nSaid last:\nNow I print.",
    );
    expect(nextAction).toContain("Look at the files");
  });

  it("says so when there is nothing", () => {
    expect(hostHandoff({ plan: null, files: [], messages: [] }).summary).toBe(
      "No file has been changed yet.",
    );
  });

  it("is short whatever it is made of", () => {
    const files = Array.from({ length: 60 }, (_, index) => `f${index}`);
    const { summary } = hostHandoff({ plan: "p".repeat(9000), files, messages: ["m".repeat(9000)] });
    expect(summary).toContain("f49 and 10 more.");
    expect(summary.length).toBeLessThan(5000);
    expect(summary).toContain("ppp…");
  });
});

describe("the brief for the new conversation", () => {
  it("tells why there is one, the summary and the next action", () => {
    expect(handoffBrief(row)).toBe(
      "Your earlier conversation became too long, and this one continues from it. Your files are as you left them.\nYou left this:\n\nHalf done.\n\nNext action: The rest.",
    );
  });

  it("says whether the agent wrote it", () => {
    expect(handoffBrief({ ...row, writtenBy: "host" })).toContain("This is known of it:");
  });

  it("refers a new attempt to no conversation or files that it does not have, whoever made the one before", () => {
    expect(handoffBrief(row, { before: "codex", runtime: "codex" })).toBe(
      "You do not have the conversation of the attempt before this one, and your files may be others.\nIt left this:\n\nHalf done.\n\nNext action: The rest.",
    );
    expect(handoffBrief(row, { before: "codex", runtime: "claude" })).toContain(
      "the attempt before this one, which was codex's, and your files may be others.",
    );
  });

  it("names what was repeated, and asks for another way", () => {
    const brief = handoffBrief({ ...row, cause: "no_progress", repeated: "view a was repeated 4 times" });
    expect(brief).toContain("went in circles");
    expect(brief).toContain("What was repeated without getting on: view a was repeated 4 times.");
  });

  it.each([
    ["session_lost", "is lost"],
    ["model_change", "with another model"],
  ] as const)("says of %s that the conversation %s", (cause, words) => {
    expect(handoffBrief({ ...row, cause })).toContain(words);
  });
});
