import { expect, it, onTestFinished, vi } from "vitest";
import { asks } from "../asking.ts";
import { commentsOn, statusComments } from "../look.ts";
import { labeled, said, tell } from "../people.ts";
import { coding, ROLES, ran, reviewing, verdict } from "../reviewer-rig.ts";
import { aRig } from "../rig.ts";
import { escalate, on } from "../scripts.ts";
import { pullOf } from "../together/work-under-way.ts";

const ORIGIN = "https://flotilla.test";
const page = (name: string) => `${ORIGIN}/agents/${encodeURIComponent(`acme/shop:${name}`)}`;
const wrapped = <Given>(given: Given) => ({ ...given, publicUrl: ORIGIN });

it("all texts of a review lead to the pages of its agents, and so does the check", async () => {
  const script = [coding(1), reviewing(1, ran(), verdict("approve"))];
  const rig = await aRig({ settings: { roles: ROLES }, script, wrapped });
  const spy = vi.spyOn(rig.github, "putCheck");
  onTestFinished(() => spy.mockRestore());
  await tell(rig, labeled(rig, 1));
  const pull = pullOf(rig);
  expect(statusComments(rig)[0]).toContain(`](${page("feat-dev-issue-1")})`);
  expect(rig.repository.pulls.get(pull)?.body).toContain(`](${page("feat-dev-issue-1")})`);
  const reviewer = new RegExp(`${ORIGIN}/agents/acme%2Fshop%3Areviewer-issue-1-\\d+`);
  expect(rig.repository.reviews.get(pull)?.[0]?.body).toMatch(reviewer);
  expect(spy.mock.calls.map(([, { detailsUrl }]) => detailsUrl)).toContainEqual(
    expect.stringMatching(reviewer),
  );
});

it.each([
  ["escalates", escalate],
  ["asks a question", asks()],
])(
  "the comment of an agent that %s leads to its page, and the answer to a command to none",
  async (_, step) => {
    const rig = await aRig({ script: [on(1, step)], wrapped });
    await tell(rig, labeled(rig, 1));
    const [comment] = commentsOn(rig).filter((body) => body.startsWith("**feat-dev**"));
    expect(comment).toContain(`<sub>[See what feat-dev-issue-1 does](${page("feat-dev-issue-1")})</sub>`);
    await tell(rig, said(rig, 1, "/flotilla why"));
    const [answer] = commentsOn(rig).filter((body) => body.startsWith("Now:"));
    expect(answer).not.toContain(ORIGIN);
  },
);
