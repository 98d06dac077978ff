import { expect, it } from "vitest";
import { GitHubError } from "../../../src/domain/kernel/errors.ts";
import { stateOf } from "../../engine/look.ts";
import { methodOf } from "../../engine/method-of.ts";
import { closed, labeled } from "../../engine/people.ts";
import { after, blocked, call, complete, edit, on, work } from "../../engine/scripts.ts";
import { pathOf, type Taken } from "./taken.ts";
import { aTracedRig } from "./traced-rig.ts";

const ROOT = "webhook issues.labeled";
const HANDLED = `${ROOT} > handle issues.labeled`;
const EXCHANGE = `${HANDLED} > effect open_session > session > exchange`;

const tracesOf = (taken: readonly Taken[]) => [...new Set(taken.map(({ trace }) => trace))];
const pathsOf = (taken: readonly Taken[]) => taken.map((span) => pathOf(taken, span));
const named = (taken: readonly Taken[], name: string) => taken.filter((span) => span.name === name);

it("is one trace from the webhook over its handling to effects, session, exchange, tools and what those put out", async () => {
  const { rig, taken, deliver } = await aTracedRig({ script: [on(1, ...work)] });
  await deliver(labeled(rig, 1));
  await rig.idle();
  expect(tracesOf(taken)).toHaveLength(1);
  const paths = new Set(pathsOf(taken));
  for (const path of [
    ROOT,
    HANDLED,
    `${HANDLED} > effect status_comment`,
    `${HANDLED} > effect open_session`,
    EXCHANGE,
    `${EXCHANGE} > tool edit`,
    `${EXCHANGE} > tool commit > effect commit`,
    `${EXCHANGE} > tool open_pr > effect open_pr`,
    `${HANDLED} > effect open_session > session > effect close_session`,
  ])
    expect(paths).toContain(path);
  expect([...paths].filter((path) => path.includes("?"))).toEqual([]);
});

it("says of each span what it is for, by the log's names, and how it came out", async () => {
  const { rig, taken, deliver } = await aTracedRig({ script: [on(1, ...work)] });
  await deliver(labeled(rig, 1));
  await rig.idle();
  const [run] = await rig.store.records.find("run", {});
  const done = {
    "flotilla.delivery": "d-1",
    "flotilla.repository": 7,
    "flotilla.issue": 1,
    "flotilla.agent": "feat-dev-issue-1",
    "flotilla.run": run?.id,
  };
  expect(named(taken, "handle issues.labeled")[0]?.attributes).toMatchObject({
    "flotilla.delivery": "d-1",
    "flotilla.event": "issues",
    "flotilla.outcome": "done",
    "flotilla.attempt": 1,
  });
  expect(named(taken, "effect commit")[0]?.attributes).toMatchObject({
    ...done,
    "flotilla.effect": "agent-1:t1:call-1",
    "flotilla.effect.kind": "commit",
    "flotilla.outcome": "done",
    "flotilla.attempt": 1,
  });
  expect(named(taken, "tool commit")[0]?.attributes).toMatchObject({
    ...done,
    "gen_ai.tool.name": "commit",
    "flotilla.outcome": "success",
  });
  expect(named(taken, "exchange")[0]?.attributes).toMatchObject({
    ...done,
    "gen_ai.request.model": "gpt-4.1",
    "gen_ai.usage.input_tokens": 400,
    "gen_ai.usage.output_tokens": 40,
    "flotilla.turns": 4,
    "flotilla.outcome": "idle",
  });
  expect(named(taken, "session")[0]?.attributes).toMatchObject({ ...done, "flotilla.resumed": false });
});

it("continues with the same trace after a restart, in the wake that another webhook brought", async () => {
  const script = [on(1, blocked(2), after("#2, which blocked you", edit()), ...work.slice(1))];
  const { rig, taken, deliver } = await aTracedRig({ script });
  await deliver(labeled(rig, 1));
  await rig.idle();
  expect(await stateOf(rig)).toBe("SLEEPING");
  const before = taken.length;
  await rig.restart();
  await deliver(closed(rig, 2));
  await rig.idle();
  expect(await stateOf(rig)).toBe("COMPLETED");
  const [first] = named(taken, ROOT);
  const later = taken.slice(before).filter(({ trace }) => trace === first?.trace);
  const paths = later.map((span) => pathOf(taken, span));
  expect(paths).toContain(`${ROOT} > effect open_session > session > exchange > tool commit > effect commit`);
  expect(paths.filter((path) => path.includes("?"))).toEqual([]);
  // What woke it is a story of its own.
  const second = named(taken, ROOT)[1];
  expect(second?.trace).not.toBe(first?.trace);
  expect(named(taken, "handle issues.labeled")[1]).toMatchObject({
    trace: second?.trace,
    links: [first?.trace],
  });
});

it("has a span for each try of an effect, side by side, also after a restart", async () => {
  const { rig, taken, deliver } = await aTracedRig({ script: [on(1, complete)] });
  const comment = methodOf(rig.github, "putComment");
  rig.github.putComment = () =>
    Promise.reject(new GitHubError("unavailable", "no answer", 503, { consequence: "retry" }));
  await deliver(labeled(rig, 1));
  await rig.idle();
  const tries = () =>
    taken.filter(({ attributes }) => attributes["flotilla.effect"] === "agent-1:v1:0:status_comment");
  expect(tries()).toHaveLength(1);
  rig.github.putComment = comment;
  await rig.restart();
  await rig.pass(600_000);
  expect(
    tries().map(({ attributes }) => [attributes["flotilla.attempt"], attributes["flotilla.outcome"]]),
  ).toEqual([
    [1, "retried"],
    [2, "done"],
  ]);
  expect(tries().map(({ failed }) => failed)).toEqual([true, false]);
  expect(tracesOf(tries())).toEqual(tracesOf(named(taken, ROOT)));
});

it("names in a handling's span the rules by which it was decided", async () => {
  const { rig, taken, deliver } = await aTracedRig({});
  await deliver(labeled(rig, 1, { by: "eve" }));
  await rig.idle();
  const rules = (await rig.store.decisions.ofIssue(7, 1, 9)).map(({ rule }) => rule);
  expect(rules.length).toBeGreaterThan(0);
  expect(named(taken, "handle issues.labeled")[0]?.attributes["flotilla.rules"]).toEqual(rules);
});

it("shows a webhook that GitHub posts again below the first", async () => {
  const { rig, taken, deliver } = await aTracedRig({});
  const told = labeled(rig, 1);
  await deliver(told);
  await deliver(told);
  await rig.idle();
  expect(named(taken, ROOT).map((span) => [pathOf(taken, span), span.attributes["flotilla.again"]])).toEqual([
    [ROOT, false],
    [`${ROOT} > ${ROOT}`, true],
  ]);
});

it("holds no text of anybody's: of an issue, of a model, of a tool's arguments and answers, of an error", async () => {
  const { rig, taken, deliver } = await aTracedRig({
    script: [
      on(
        1,
        { ...call("edit", { path: "canary.ts", content: "canary" }), say: "canary said" },
        call("comment", { body: "canary comment" }),
        call("canary_tool", { canary: "canary" }),
        call("commit", { message: "canary commit" }),
        call("escalate_to_human", { reason: "canary", category: "decision", question: "canary?" }),
      ),
    ],
  });
  Object.assign(rig.repository.issues.get(1) ?? {}, { title: "canary title", body: "canary body" });
  const add = methodOf(rig.github, "addLabels");
  rig.github.addLabels = async (repository, issue, labels) => {
    if (labels.includes("needs-human")) throw new Error("canary error");
    await add(repository, issue, labels);
  };
  await deliver(labeled(rig, 1));
  await rig.idle();
  expect(named(taken, "exchange").length).toBeGreaterThan(0);
  expect(taken.filter(({ attributes }) => attributes["flotilla.outcome"] === "retried")).not.toEqual([]);
  expect(JSON.stringify(taken)).not.toMatch(/canary/i);
});

it("holds nothing up where it cannot be read what something belongs to", async () => {
  const { rig, taken, deliver } = await aTracedRig({ script: [on(1, ...work)] });
  Object.assign(rig.store.deliveries, { known: () => Promise.reject(new Error("not now")) });
  await deliver(labeled(rig, 1));
  // Of a fact that a delivery names, and so asked for by it.
  await deliver(labeled(rig, 1, { by: "eve" }));
  await rig.idle();
  expect(await stateOf(rig)).toBe("COMPLETED");
  const open = await rig.store.effects.find({ state: ["pending", "leased"] });
  expect(open).toEqual([]);
  expect(named(taken, "effect commit")).toHaveLength(1);
});

it("gives the log the ids of trace and span in which something is done", async () => {
  const { rig, taken, deliver, named: fields } = await aTracedRig({ script: [on(1, ...work)] });
  await deliver(labeled(rig, 1));
  await rig.idle();
  const [effect] = named(taken, "effect commit");
  expect(fields).toContainEqual(
    expect.objectContaining({ effect: "agent-1:t1:call-1", trace: effect?.trace, span: effect?.id }),
  );
  const [handled] = named(taken, "handle issues.labeled");
  expect(fields).toContainEqual({ delivery: "d-1", trace: handled?.trace, span: handled?.id });
});
