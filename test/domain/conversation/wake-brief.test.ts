import { describe, expect, it } from "vitest";
import { WAKE_REASONS } from "../../../src/domain/agents/agent-record.ts";
import { wakesMessage } from "../../../src/domain/conversation/prompts.ts";
import { bounded, wakeBrief as markedWakeBrief } from "../../../src/domain/conversation/wake-brief.ts";
import { HOUR } from "../../factories/moment.ts";
import { plain } from "../text/plain.ts";

const wakeBrief = plain(markedWakeBrief);

const awake = { wakes: [], sleptMs: null, branch: null, pull: null, news: [] };

describe("a wake brief", () => {
  it.each(WAKE_REASONS)("tells a wake by %s with its detail", (reason) => {
    const text = wakeBrief({ ...awake, wakes: [{ reason, detail: "what happened" }] });
    expect(text).toMatch(/^- [A-Z].+: what happened$/m);
  });

  it("tells each reason in words of its own", () => {
    const told = WAKE_REASONS.map((reason) => wakesMessage([{ reason, detail: "" }]));
    expect(new Set(told).size).toBe(WAKE_REASONS.length);
  });

  it("tells several wakes, how long the sleep was, what is new, the branch and the pull request", () => {
    const text = wakeBrief({
      wakes: [
        { reason: "blocker", detail: "#7 was closed" },
        { reason: "message", detail: "@alice says hello" },
      ],
      sleptMs: 2 * HOUR,
      branch: "flotilla/feat-dev/issue-42",
      pull: 50,
      news: ["The base moved.", "The checks are red."],
    });
    expect(text).toContain("You slept 2 h.");
    expect(text).toContain("#7 was closed");
    expect(text).toContain("@alice says hello");
    expect(text).toContain("The base moved.\n\nThe checks are red.\n\nYour branch");
    expect(text).toContain("`flotilla/feat-dev/issue-42`");
    expect(text).toContain("#50");
  });

  it("says nothing of what there is not", () => {
    expect(wakeBrief(awake)).toBe(
      "You are awake again.\n\nContinue with the issue. End with exactly one of your reports.",
    );
  });

  it("has at most 8,000 characters, however much has happened, and keeps who said what where and the ending", () => {
    const wakes = Array.from({ length: 40 }, (_, index) => ({
      reason: "message" as const,
      detail: `@alice says (https://x/${index}):\n\n${"word ".repeat(9000)}`,
    }));
    const news = Array.from({ length: 12 }, () => "news ".repeat(700));
    const text = wakeBrief({ ...awake, wakes, news, branch: "b", pull: 1 });
    expect(text.length).toBeLessThanOrEqual(8000);
    expect(text).toContain("@alice says (https://x/9)");
    expect(text).toContain("- (30 more; read the issue)");
    expect(text).toMatch(/… \(cut: 4\d{4} characters\)/);
    expect(text).toContain("There is more news than fits here");
    expect(text.endsWith("End with exactly one of your reports.")).toBe(true);
  });
});

describe("parts that are bounded", () => {
  it("are whole where they have room", () => {
    expect(bounded(["one", "two"], 200)).toEqual(["one", "two"]);
  });

  it("are left out where so little room is left that a piece would say nothing, and that is said", () => {
    const [first, note, ...none] = bounded(["a".repeat(300), "b".repeat(900)], 600);
    expect(first).toBe("a".repeat(300));
    expect(note).toContain("There is more news than fits here");
    expect(none).toEqual([]);
  });
});
