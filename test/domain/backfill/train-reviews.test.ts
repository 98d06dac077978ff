import { expect, it } from "vitest";
import { missedDismissals } from "../../../src/domain/backfill/missed-dismissals.ts";
import { againstMerge, appsAgainst, dismissedAmong } from "../../../src/domain/merge-queue/pull-approvals.ts";
import { personAs, roleAs } from "../../../src/domain/review/reviewer.ts";
import { aTask } from "../../factories/records.ts";
import { BOT, person } from "../../fakes/github-world.ts";
import { review, seen } from "../seen-pulls.ts";

const HEAD = "c".repeat(40);
const app = (login: string) => ({ ...person(login), type: "Bot" as const });
const approval = (login: string) => ({ ...personAs(person(login)), commit: HEAD, at: 1 });
const NO_CHANGES = { withoutAccess: [], requesters: [], takenBack: [], apps: [] };

const dismissed = (login: string, id: number) => review({ id, author: person(login), verdict: "dismissed" });

it("an approval is taken back by its author's latest verdict, where it counts", () => {
  const reviews = [
    dismissed("alice", 1),
    dismissed("bob", 2),
    review({ id: 3, author: person("bob") }),
    dismissed("carol", 4),
    review({ id: 5, author: person("carol"), verdict: "commented" }),
  ];
  const counted = [approval("bob"), approval("carol"), { ...roleAs("alice"), commit: HEAD, at: 1 }];
  expect(dismissedAmong(reviews, counted).map(({ id }) => id)).toEqual([4]);
  const task = aTask({ state: "APPROVED", verdicts: counted });
  expect(missedDismissals(seen(), reviews, { task })).toMatchObject([
    {
      name: "dismissal-4",
      event: "pull_request_review",
      action: "dismissed",
      number: 50,
      fields: { pull_request: { number: 50 }, review: { id: 4, user: { login: "carol" }, commit_id: HEAD } },
    },
  ]);
  expect(missedDismissals(seen(), reviews, { task: null })).toEqual([]);
});

it("another App is against a merge by its latest verdict on that commit, our own never is", () => {
  const asks = (author: ReturnType<typeof app>, commit = HEAD) =>
    review({ author, verdict: "changes_requested", commit });
  const reviews = [
    asks(app("scanner")),
    asks(app("old"), "b".repeat(40)),
    asks(app("pleased")),
    review({ author: app("pleased") }),
    review({ author: person("alice"), verdict: "changes_requested" }),
    review({ author: BOT, verdict: "changes_requested" }),
  ];
  expect(appsAgainst(reviews, { reviewCommit: HEAD, carriedFrom: [] }, BOT.id)).toEqual(["scanner"]);
  const carried = { reviewCommit: HEAD, carriedFrom: ["b".repeat(40)] };
  expect(appsAgainst(reviews, carried, BOT.id)).toEqual(["scanner", "old"]);
});

it("people's requests come before dismissals, and those before an App's request", () => {
  const all = {
    requesters: ["alice"],
    takenBack: ["bob", "carol"],
    withoutAccess: [],
    apps: ["scanner[bot]", "lint[bot]"],
  };
  expect(againstMerge(4, all)).toMatchObject({
    why: "@alice requested changes of #4 on GitHub",
    isUnreported: true,
  });
  expect(againstMerge(4, { ...all, requesters: [] })).toMatchObject({
    why: "the approval of #4 by @bob and @carol was dismissed on GitHub",
    isUnreported: true,
  });
  expect(againstMerge(4, { ...NO_CHANGES, apps: all.apps, withoutAccess: ["dave"] })).toMatchObject({
    why: "@dave approved #4 and no longer has the permission for that",
    isUnreported: false,
  });
  expect(againstMerge(4, { ...NO_CHANGES, apps: all.apps })).toMatchObject({
    why: "scanner[bot] and lint[bot] requested changes of #4 on GitHub",
    isUnreported: false,
  });
  expect(againstMerge(4, NO_CHANGES)).toBeNull();
});
