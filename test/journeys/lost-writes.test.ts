import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { proved } from "../proved.ts";
import { endState } from "./end-state.ts";
import { type Journey, startJourney } from "./journey.ts";
import { SMALL_END, SMALL_SCENARIO, tellSmallStory } from "./small-story.ts";

/**
 * Every kind of write that the App makes in the story, and the first two pushes. Faults never hit people's own acts.
 */
const WRITES = [
  ["POST", /\/issues\/\d+\/comments$/],
  ["PATCH", /\/issues\/comments\/\d+$/],
  ["POST", /\/issues\/comments\/\d+\/reactions$/],
  ["POST", /\/issues$/],
  ["POST", /\/issues\/\d+\/labels$/],
  ["DELETE", /\/issues\/\d+\/labels\/[^/]+$/],
  ["POST", /\/labels$/],
  ["POST", /\/dependencies\/blocked_by$/],
  ["POST", /\/pulls$/],
  ["POST", /\/git-receive-pack$/],
  ["POST", /\/git-receive-pack$/],
] as const;

const LOST = ["status-after", "reset-after"] as const;

/** In each run one of these, a comment and the pull request, is never answered, so that the client must give up. */
const SILENT = [0, 8];
const GIVES_UP = { FLOTILLA_GITHUB_LIMIT_MS: "2000" };

describe.each([
  ["a 502", 0],
  ["a reset", 1],
])(
  "the story in which the first write of each kind is carried out and answered by %s or the other, in turn, and one never",
  (_, first) => {
    let journey: Journey;

    beforeAll(async () => {
      journey = await startJourney({ scenario: SMALL_SCENARIO, env: GIVES_UP });
      for (const [index, [method, path]] of WRITES.entries())
        journey.github.faults.add({
          method,
          path,
          kind: index === SILENT[first] ? "silent-after" : (LOST[(index + first) % 2] ?? "reset-after"),
          status: 502,
        });
      await tellSmallStory(journey);
    }, 200_000);
    afterAll(() => journey.close());

    it("loses an answer of each kind of write", () => {
      expect(journey.github.faults.left()).toBe(0);
      const lost = journey.github.requests().filter(({ status }) => status === 502 || status === 0);
      expect(lost.filter(({ method }) => method !== "GET").length).toBeGreaterThanOrEqual(WRITES.length);
      expect(journey.served().log()).toContain("no complete answer within 2 s");
    });

    it("ends in the same state, and writes nothing twice", async () => {
      expect(await endState(journey)).toEqual(SMALL_END);
      expect(await journey.violationsAfterStop()).toEqual([]);
      proved({
        promise: "A write that GitHub carried out and did not answer for is found again and not repeated.",
        test: "test/journeys/lost-writes.test.ts",
        figure: `${WRITES.length} kinds of writes with a lost answer, 0 doubled`,
      });
    });
  },
);
