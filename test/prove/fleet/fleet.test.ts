import { expect, test } from "vitest";
import { fleetScenario } from "./load.ts";
import { count, doubles, type Made } from "./made.ts";
import { leftOf, lostOf } from "./outcome.ts";
import { errandOf, errandsFor, storyOf } from "./stories.ts";

const comment = (key: string) => ({
  method: "POST",
  path: "/repos/acme/app/issues/1/comments",
  status: 201,
  body: { body: `Done.\n\n<!-- flotilla:v1 key=${key} mac=00 -->` },
});
const pull = (ref: string) => ({
  method: "POST",
  path: "/repos/acme/app/pulls",
  status: 201,
  body: { head: { ref } },
});

const review = { ...comment("verdict"), path: "/repos/acme/app/pulls/2/reviews", status: 200 };

const agent = (repository: string, issue: number | string, role: string, state: string) => ({
  repository,
  issue,
  role,
  state,
});

test("what Flotilla made is counted by what it is; people, refusals and changes are not", () => {
  const made: Made = new Map();
  const seen = [
    comment("status"),
    comment("done-1"),
    comment("done-1"),
    pull("flotilla/a"),
    pull("flotilla/b"),
    review,
    review,
  ];
  for (const one of seen) count(made, one);
  count(made, { ...comment("status"), status: 403 });
  count(made, { ...comment("status"), method: "PATCH", status: 200 });
  count(made, { ...comment("status"), body: { body: "Please." } });
  count(made, { ...comment("status"), body: null });
  expect([...made.values()]).toEqual([1, 2, 1, 1, 2]);
  expect(doubles(made)).toEqual([
    "/repos/acme/app/issues/1/comments done-1",
    "/repos/acme/app/pulls/2/reviews verdict",
  ]);
});

test("an acknowledged webhook without an outcome is lost, an agent that has not completed is left behind", () => {
  const deliveries = [
    { guid: "a", state: "done" },
    { guid: "b", state: "claimed" },
    { guid: "d", state: "dead" },
  ];
  expect(lostOf(new Set(["a", "b", "c"]), deliveries)).toEqual([
    '{"guid":"b","state":"claimed"}',
    '{"guid":"c","state":"not stored"}',
  ]);
  const agents = [
    agent("app", 1, "coder", "FAILED"),
    agent("app", 1, "coder", "COMPLETED"),
    agent("app", "2", "coder", "COMPLETED"),
    agent("app", "2", "reviewer", "CANCELLED"),
    agent("lib", 3, "coder", "COMPLETED"),
    agent("app", 9, "coder", "FAILED"),
  ];
  const issues = [1, 2, 3].map((issue) => ({ repository: "app", issue }));
  expect(leftOf([...issues, { repository: "lib", issue: 3 }], agents)).toEqual([
    JSON.stringify(agents[3]),
    JSON.stringify(agents[5]),
    "app#3: no agent",
  ]);
});

test("each issue that waits for an errand has one of its own, and the model knows what to say on all", () => {
  const waiting = Array.from({ length: 40 }, (_, index) => index).filter((index) =>
    ["is blocked", "blocks"].includes(storyOf(index) ?? ""),
  );
  expect(waiting.map(errandOf)).toEqual(Array.from({ length: errandsFor(40) }, (_, place) => place + 1));
  const matches = fleetScenario(40, true).model.conversations.map(({ match }) => new RegExp(match, "s"));
  const first = (text: string) => matches.findIndex((match) => match.test(text));
  const known = Array.from({ length: 40 }, (_, index) =>
    first(`You are ${storyOf(index) === "is planned" ? "planner" : "bug-fix"}. Write page-${index}.md`),
  );
  expect(new Set(known).size).toBe(40);
  expect(known).not.toContain(-1);
});
