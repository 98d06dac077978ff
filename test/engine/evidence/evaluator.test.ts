import { describe, expect, it } from "vitest";
import { aRole } from "../../factories/a-role.ts";
import { rolesOf, someSettings } from "../../factories/some-settings.ts";
import {
  asked,
  evaluated,
  evaluations,
  evaluatorRole,
  gone,
  opened,
  shown,
  submits,
  sure,
} from "../evaluating.ts";
import { agentOf, runOf, sessionsOf, stateOf, toldTo } from "../look.ts";
import { methodOf } from "../method-of.ts";
import { checked, labeled, said, tell } from "../people.ts";
import { aRig } from "../rig.ts";
import { after, call, commit, complete, edit, escalate, on, openPr, say, work } from "../scripts.ts";

describe("an evaluator", () => {
  it("that is sure enough completes the work, and its word is kept with the run and the evidence", async () => {
    const rig = await evaluated([on(1, ...work), sure]);
    await tell(rig, labeled(rig, 1));
    expect(await stateOf(rig)).toBe("COMPLETED");
    expect(await runOf(rig)).toMatchObject({ state: "succeeded", confidence: 0.9, iteration: 1, bounces: 0 });
    expect(await evaluations(rig)).toEqual([[0.9, true, "It reads well."]]);
    gone(rig);
  });

  it("is shown the issue, the summary and the change, and nothing of the coder's conversation", async () => {
    const rig = await evaluated([on(1, say("My secret thoughts."), ...work), sure]);
    await tell(rig, labeled(rig, 1));
    const [message] = shown(rig);
    const { headCommit } = await agentOf(rig);
    for (const part of ["# Feature 1", "Do 1.", "Built and tested.", `commit ${headCommit}`, "feature.ts"])
      expect(message).toContain(part);
    expect(message).not.toContain("My secret thoughts.");
  });

  it("sits in a clean checkout of the commit, apart from its coder, with tools to read and one to answer", async () => {
    const rig = await evaluated([on(1, ...work), sure]);
    await tell(rig, labeled(rig, 1));
    const [spec] = opened(rig);
    expect(spec).toMatchObject({
      workingDirectory: "/fake/worktrees/7/feat-dev-issue-1.checkout",
      baseDirectory: "/fake/evaluations/1",
      capabilities: ["read"],
    });
    expect(spec?.tools.map(({ name }) => name)).toEqual(["read_issue", "read_pr", "submit_evaluation"]);
    expect(spec?.systemPrompt).toMatch(/^You doubt\..*cannot change anything/s);
    expect(await sessionsOf(rig)).toHaveLength(1);
  });

  it("that is not sure sends the work back with its reason, as one of the bounces, and is asked about the next claim", async () => {
    const again = call("report_complete", { summary: "With the empty report." });
    const script = [
      on(1, ...work, after("this is missing", edit("fix.ts")), commit, again),
      asked("With the empty report", submits(0.95)),
      asked("", submits(0.4, "An empty report prints nothing.")),
    ];
    const rig = await evaluated(script);
    await tell(rig, labeled(rig, 1));
    expect(toldTo(rig)[1]).toContain(
      "The evaluator looked at your commit: its confidence is 0.4, and 0.85 is needed. Fix what it names: An empty report prints nothing.",
    );
    expect(await stateOf(rig)).toBe("COMPLETED");
    expect(await runOf(rig)).toMatchObject({ bounces: 1, iteration: 2, confidence: 0.95 });
    expect((await evaluations(rig)).map(([confidence]) => confidence)).toEqual([0.4, 0.95]);
  });

  it("is believed from the configured threshold on, and not below it", async () => {
    const evidence = { ...someSettings().evidence, evaluatorThreshold: 0.5, maxBounces: 0 };
    for (const [confidence, state] of [
      [0.5, "COMPLETED"],
      [0.49, "ESCALATED"],
    ] as const) {
      const rig = await evaluated([on(1, ...work), asked("", submits(confidence))], { evidence });
      await tell(rig, labeled(rig, 1));
      expect([confidence, await stateOf(rig)]).toEqual([confidence, state]);
      expect((await runOf(rig))?.confidence).toBe(confidence);
    }
  });

  it("is not asked while anything else is missing", async () => {
    const evidence = { ...someSettings().evidence, commands: ["npm test"] };
    const script = [on(1, ...work, after("this is missing", escalate)), sure];
    const rig = await evaluated(script, { evidence });
    rig.runner.ends.set("npm test", { exitCode: 1, output: "no" });
    await tell(rig, labeled(rig, 1));
    expect(opened(rig)).toEqual([]);
  });

  it("is asked once the checks are green, and about the same commit no second time", async () => {
    const evidence = { ...someSettings().evidence, requiredChecks: ["build"] };
    const script = [on(1, ...work, after("came before your report", complete)), sure];
    const rig = await evaluated(script, { evidence });
    const add = methodOf(rig.store.evidence, "add");
    rig.store.evidence.add = async (row) => {
      await add(row);
      if (row.kind === "evaluation") await rig.engine.handle(said(rig, 1, "@flotilla thank you"));
    };
    await tell(rig, labeled(rig, 1));
    expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "checks" });
    expect(opened(rig)).toEqual([]);
    await tell(rig, checked(rig, { build: "green" }));
    expect(toldTo(rig)[1]).toContain("thank you");
    expect(await stateOf(rig)).toBe("COMPLETED");
    expect(opened(rig)).toHaveLength(1);
    expect((await runOf(rig))?.confidence).toBe(0.9);
  });

  it("is not asked about a claim that a person's message came before", async () => {
    const again = call("report_complete", { summary: "With the line." });
    const rig = await evaluated([on(1, ...work, after("came before your report", again)), sure]);
    const inspect = methodOf(rig.worktrees, "inspect");
    rig.worktrees.inspect = async (...args) => {
      if (rig.deliveries === 1) await rig.engine.handle(said(rig, 1, "@flotilla add a line"));
      return inspect(...args);
    };
    await tell(rig, labeled(rig, 1));
    expect(await stateOf(rig)).toBe("COMPLETED");
    expect(shown(rig)).toHaveLength(1);
    expect(shown(rig)[0]).toContain("With the line.");
  });

  it("has its calls audited, and one of a tool that it does not have denied", async () => {
    const reads = call("view", { path: "feature.ts" });
    const rig = await evaluated([on(1, ...work), asked("", reads, call("bash"), submits(0.9))]);
    await tell(rig, labeled(rig, 1));
    const calls = await rig.store.toolCalls.ofAgent((await agentOf(rig)).id);
    expect(calls.slice(-3).map(({ tool, status }) => [tool, status])).toEqual([
      ["view", "success"],
      ["bash", "denied"],
      ["submit_evaluation", "success"],
    ]);
  });

  it("is told what is wrong with an answer out of range, and may answer again", async () => {
    const rig = await evaluated([on(1, ...work), asked("", submits(90), submits(0.9))]);
    await tell(rig, labeled(rig, 1));
    expect(
      rig.runtime.requests
        .flat()
        .map(({ content }) => content)
        .join("\n"),
    ).toMatch(/submit_evaluation did nothing\. confidence: Too big/);
    expect(await evaluations(rig)).toEqual([[0.9, true, "It reads well."]]);
  });

  it("is no agent: nobody else's claim is shown to it", async () => {
    const triage = aRole({ name: "feat-dev", evidence: "none", tools: ["report_complete"] });
    const rig = await evaluated([on(1, complete), sure], { roles: rolesOf(triage, evaluatorRole) });
    await tell(rig, labeled(rig, 1));
    expect(await stateOf(rig)).toBe("COMPLETED");
    expect(opened(rig)).toEqual([]);
  });
});

it("nothing changes without an evaluator", async () => {
  const rig = await aRig({ script: [on(1, edit(), commit, openPr, complete)] });
  await tell(rig, labeled(rig, 1));
  expect(await stateOf(rig)).toBe("COMPLETED");
  expect(await runOf(rig)).toMatchObject({ confidence: null, iteration: 1 });
});
