import { expect, test } from "vitest";
import { count, doubles, type Made } from "./made.ts";
import { leftOf, lostOf } from "./outcome.ts";

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

test("what Flotilla made is counted by what it is; people, refusals and changes are not", () => {
  const made: Made = new Map();
  const seen = [
    comment("status"),
    comment("done-1"),
    comment("done-1"),
    pull("flotilla/a"),
    pull("flotilla/b"),
  ];
  for (const one of seen) count(made, one);
  count(made, { ...comment("status"), status: 403 });
  count(made, { ...comment("status"), method: "PATCH", status: 200 });
  count(made, { ...comment("status"), body: { body: "Please." } });
  count(made, { ...comment("status"), body: null });
  expect([...made.values()]).toEqual([1, 2, 1, 1]);
  expect(doubles(made)).toEqual(["/repos/acme/app/issues/1/comments done-1"]);
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
    { issue: 1, state: "COMPLETED" },
    { issue: "2", state: "COMPLETED" },
    { issue: "2", state: "FAILED" },
  ];
  expect(leftOf([1, 2, 3], agents)).toEqual(['#2: {"issue":"2","state":"FAILED"}', '#3: "no agent"']);
});
