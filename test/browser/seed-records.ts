import { settingsInForce } from "../../src/config/settings-in-force.ts";
import { variablesInForce } from "../../src/config/variables-in-force.ts";
import type { EffectRow, NewEffect } from "../../src/domain/kernel/rows.ts";
import type { Store } from "../../src/domain/ports/store.ts";
import type { Schedule } from "../../src/domain/settings/schedules-section.ts";
import type { SettingInForce } from "../../src/domain/settings/setting-in-force.ts";
import { OURS } from "../factories/leases.ts";

const HOUR = 3_600_000;

const schedule = (fields: Pick<Schedule, "cron" | "title"> & Partial<Schedule>): Schedule => ({
  repository: "acme/shop",
  timeZone: "UTC",
  jitter: undefined,
  role: "feat-dev",
  body: "Do it.",
  ...fields,
});

/** One schedule for each outcome of the last time. */
export const SCHEDULES: Readonly<Record<string, Schedule>> = {
  "dependency-update": schedule({
    cron: "0 6 * * 1",
    title: "Update the dependencies",
    timeZone: "America/New_York",
  }),
  "dead-code": schedule({ cron: "30 2 1 * *", title: "Remove code that nothing uses" }),
  "link-check": schedule({ cron: "0 6 L * *", title: "Repair broken links" }),
  "never-yet": schedule({ cron: "*/30 * * * *", title: "Look at the queue", repository: "acme/unheard" }),
};

type Outcome = Partial<Pick<EffectRow, "state" | "result" | "error">>;

/** What people did on the day of `seedDay`, where each of them may act. */
export async function seedPeople(store: Store, now: number): Promise<void> {
  const [agent] = await store.records.find("agent", { repositoryId: 7, issue: 41 });
  if (agent === undefined) throw new Error("the day has no agent of #41");
  const move = { recordId: agent.id, agentId: agent.id, repositoryId: 7, issue: 41, evidence: null };
  const states = { from: "ACTIVE", to: "SLEEPING" };
  for (const [ago, actor, machine, event, reason, delivery] of [
    [5, "bob", "agent", "PAUSE", "paused by @bob: wait for the release", "d1"],
    [4, "carol", "agent", "RESUME", "@carol lifted the pause", null],
    [3, "operator:ops", "agent", "CANCEL", "it was killed", null],
    [2, "bob", "task", "OBSERVED_MERGED", null, "d2"],
    [2, "ci[bot]", "agent", "PAUSE", null, "d3"],
  ] as const)
    await store.transitions.add({
      ...move,
      ...states,
      at: now - ago * HOUR,
      actor,
      machine,
      event,
      reason,
      delivery,
    });
  const call = {
    agentId: agent.id,
    token: 1,
    kind: "network",
    detail: "curl",
    tool: "bash",
    input: "{}",
  } as const;
  for (const hash of ["aaa", "bbb"]) await store.approvals.ask({ ...call, hash, createdAt: now - HOUR });
  const [first, second] = (await store.approvals.asked(agent.id, 1)).filter(({ hash }) =>
    /^(?:a+|b+)$/.test(hash),
  );
  const at = now - HOUR / 2;
  await store.approvals.decide({ id: first?.id ?? 0, state: "granted", by: "carol", reason: null }, at);
  await store.approvals.decide(
    { id: second?.id ?? 0, state: "denied", by: "bob", reason: "Not this host." },
    at + 1,
  );
  const grant = {
    repositoryId: 7,
    grantedBy: "carol",
    issue: 41,
    day: 1,
    costMicroUsd: 5_000_000,
    agents: 2,
  };
  await store.budget.grant({ ...grant, at: now - HOUR / 4 });
}

/** Settings of each origin, one of them hidden. */
export const IN_FORCE: readonly SettingInForce[] = [
  ...variablesInForce({ PORT: "4000", WEBHOOK_SECRET: "hunter2" }),
  ...settingsInForce(
    "level: draft\nservices:\n  db: { run: postgres, env: { PGPASSWORD: hunter2 } }\ncircuit_breakers:\n  defaults:\n    max_turns: 40\n",
    "config.yaml",
  ),
];

/** What failed for good, a notice among it, and the last time of each schedule. */
export async function seedRecords(store: Store, now: number): Promise<void> {
  const settle = async (effect: NewEffect, outcome: Outcome): Promise<void> => {
    const [id = 0] = await store.effects.add([effect]);
    await store.effects.lease({ ...OURS, now, leaseMs: () => 1000, limit: 50 });
    const { state = "done", result = null, error = null } = outcome;
    if (state !== "done" && state !== "failed" && state !== "skipped") throw new Error("it is not settled");
    await store.effects.settle(id, OURS.token, { state, result, error, at: effect.createdAt + 1000 });
  };
  const effect = (lane: string, ago: number, payload: NewEffect["payload"]): NewEffect => ({
    key: `${lane}-${ago}`,
    lane,
    repositoryId: 7,
    issue: payload.kind === "open_scheduled" ? 0 : 41,
    agentId: null,
    token: null,
    payload,
    createdAt: now - ago,
  });
  const began = (name: string, ago: number, outcome: Outcome) =>
    settle(
      effect(`issue:7#schedule:${name}`, ago, { kind: "open_scheduled", schedule: name, begun: now - ago }),
      outcome,
    );
  await began("dependency-update", 50 * HOUR, { result: { number: 51 } });
  await began("dead-code", 5 * HOUR, { result: { skipped: "#28 is open", open: 28 } });
  await began("link-check", 2 * HOUR, {
    state: "failed",
    error: "GitHub answered 410 to POST /repos/acme/shop/issues: Issues are disabled for this repo",
    result: {
      code: "not_found",
      advice:
        "If issues are switched off in the repository's settings, switch them on. If it was deleted, nothing is left to do.",
    },
  });
  await settle(effect("notices:team", HOUR, { kind: "notify", receiver: "team", event: "question" }), {
    state: "failed",
    error: "the receiver team answered 410",
    result: {
      code: "refused",
      advice:
        "Check the address in the environment variable that its `url_env` names, then send it a test with `flotilla notices try`.",
    },
  });
}
