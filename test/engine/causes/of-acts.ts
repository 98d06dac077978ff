import type { OF_ACTS } from "../../../src/domain/decisions/of-acts.ts";
import { GitError, GitHubError } from "../../../src/domain/kernel/errors.ts";
import type { RuntimeEvent } from "../../../src/domain/ports/agent-runtime.ts";
import { ROLES as SHIPPED } from "../../factories/a-role.ts";
import { aDomainEvent, aPerson, aRepository } from "../../factories/an-occurrence.ts";
import { HOUR, MINUTE } from "../../factories/moment.ts";
import { rolesOf, someSettings } from "../../factories/some-settings.ts";
import { close, person } from "../../fakes/github-world.ts";
import { agentOf } from "../look.ts";
import { withServers } from "../mcp/with-servers.ts";
import {
  assigned,
  blockerChanged,
  checked,
  edited,
  gone,
  labeled,
  locked,
  pushed,
  reopened,
  reviewed,
  said,
  tell,
  unlabeled,
} from "../people.ts";
import { personsPull, pushedToPull, reviewingPull, saidOnPull } from "../persons-pull.ts";
import { editedPlan, planFirst, plans } from "../planning.ts";
import { RETROSPECTIVE } from "../retrospective.ts";
import { coding, ROLES, ran, reviewing, reviewRig, verdict } from "../reviewer-rig.ts";
import { aRig, REPOSITORY, type Rig } from "../rig.ts";
import { blocked, call, commit, edit, escalate, on, replan, slowly, together, work } from "../scripts.ts";
import { tooLate } from "../tools-of.ts";
import { ended, act as operatorsAct } from "../under-operation.ts";
import { type Cause, caused, commanded, issueOne } from "./cause.ts";

const asleep = { script: [on(1, blocked(2))] };
const done = { script: [on(1, ...work)] };
const asks = { script: [on(1, escalate)] };
const branch = "flotilla/feat-dev/issue-1";
const curl = (more: string) => call("bash", { command: `curl https://example.com/${more}` });
const facts = (rig: Rig) => ({
  delivery: "d-0",
  at: rig.clock.now(),
  repository: aRepository(),
  actor: person("alice"),
});
const withIssue = (fields: object) =>
  caused({}, (rig) => {
    Object.assign(issueOne(rig), fields);
    return tell(rig, labeled(rig, 1));
  });

/** The gate waits until all that was observed before is recorded. */
const observed = (event: RuntimeEvent) =>
  caused(done, async (rig) => {
    const [session] = rig.runtime.opened;
    session?.onEvent(event);
    await session?.gate({ toolName: "view", args: {} });
  });

const cannotWrite = caused({}, (rig) => {
  const stop = { consequence: "stop", advice: "Give the App the permission to write issues." } as const;
  rig.github.failNext("putComment", new GitHubError("forbidden", "no permission", 403, stop), "before");
  return tell(rig, said(rig, 1, "/flotilla why"));
});

/** It talks at that moment; what follows needs no more of it. */
async function atWork(): Promise<Rig> {
  const rig = await aRig({ script: [on(1, edit(), slowly(30 * MINUTE, commit))] });
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it talks", () => rig.runtime.requests.length === 2);
  return rig;
}

/** A real cause of each decision about what somebody did. */
export const CAUSES_OF_ACTS: Readonly<Record<keyof typeof OF_ACTS, Cause>> = {
  asked: commanded("/flotilla why"),
  assigned: withIssue({ assignees: [person("bob")] }),
  assigned_to_bot: caused({}, (rig) => {
    const assignee = aPerson("ci", { type: "Bot" });
    return tell(rig, aDomainEvent("issue_assigned", { ...facts(rig), issue: issueOne(rig), assignee }));
  }),
  backport_refused: commanded("/flotilla backport release-1"),
  base_label: caused({ settings: { bases: [{ label: "base:stable", branch: "stable" }] } }, (rig) =>
    tell(rig, labeled(rig, 1, { label: "base:stable" })),
  ),
  review_differs: () =>
    reviewRig([coding(1), reviewing(1, ran(), verdict("approve"))], {
      settings: { review: { ...someSettings().review, differ: true } },
    }),
  runtime_label: caused({ settings: { runtimeLabels: { "agent:own": "copilot" } } }, (rig) =>
    tell(rig, labeled(rig, 1, { label: "agent:own" })),
  ),
  base_refused: commanded("/flotilla start feat-dev on nowhere"),
  blocker_noted: caused({}, (rig) => tell(rig, blockerChanged(rig, 1, 2, { added: true }))),
  branch_deleted: caused(asleep, (rig) =>
    tell(rig, aDomainEvent("pushed", { ...facts(rig), headRef: branch, tip: null })),
  ),
  budget_unit: commanded("/flotilla budget +5 turns today"),
  budget_unreadable: commanded("/flotilla budget lots"),
  checkpoint_refused: async () => {
    const rig = await aRig({ script: [on(1, edit(), escalate)] });
    rig.worktrees.refuseCheckpoints(new GitError("protected", "GH013", { consequence: "tell" }));
    await tell(rig, labeled(rig, 1));
    return rig;
  },
  choice_refused: commanded("/flotilla start feat-dev model=unheard-of"),
  closed: caused({}, (rig) => {
    close(rig.repository, 1);
    return tell(rig, labeled(rig, 1));
  }),
  day_raised: commanded("/flotilla budget +$5 today"),
  draft_label: caused({}, (rig) => tell(rig, labeled(rig, 1, { label: "draft" }))),
  effect_failed: cannotWrite,
  escalation_label: caused(asks, (rig) => tell(rig, labeled(rig, 1, { label: "needs-human", own: true }))),
  foreign_commit: caused(asleep, (rig) => tell(rig, pushed(rig, branch, { "theirs.ts": "1" }))),
  issue_gone: caused(asleep, (rig) => tell(rig, gone(rig, 1))),
  label_unused: caused({}, (rig) => tell(rig, unlabeled(rig, 1, "p1"))),
  liveness: async () => {
    const rig = await aRig({ script: [on(1, slowly(8 * MINUTE, edit()), ...work.slice(1))] });
    await rig.engine.handle(labeled(rig, 1));
    await rig.until("it thinks", () => rig.runtime.requests.length === 1);
    const session = (await agentOf(rig)).sessionId ?? "";
    for (const [deaf, minutes] of [[true, 2] as const, [false, 6] as const]) {
      rig.runtime.deafen(session, deaf);
      for (let second = 0; second < minutes * 12; second += 1) {
        rig.clock.advance(MINUTE / 12);
        await rig.engine.tick();
      }
    }
    await rig.idle();
    return rig;
  },
  locked: caused(asleep, (rig) => tell(rig, locked(rig, 1, true))),
  marks_refused: commanded("/flotilla set ttl=long"),
  marks_set: caused(asleep, (rig) => tell(rig, said(rig, 1, "/flotilla set tag=urgent"))),
  mcp_server_failed: async () => {
    const { rig } = await withServers({ docs: { starts: ["The MCP server docs did not start"] } });
    await tell(rig, labeled(rig, 1));
    return rig;
  },
  model_call_refused: observed({ type: "model_call_refused", reason: "another model" }),
  moved_on: tooLate,
  never_worked: caused({}, (rig) => tell(rig, reopened(rig, 1))),
  no_role: caused({}, (rig) => tell(rig, labeled(rig, 1, { label: "featrue" }))),
  no_lesson: caused({ settings: { roles: rolesOf(...SHIPPED, RETROSPECTIVE) } }, (rig) =>
    tell(rig, said(rig, 1, "/flotilla start retrospective")),
  ),
  nobody_concerned: caused({}, (rig) => tell(rig, assigned(rig, 1, "bob"))),
  nobody_waits: caused({}, (rig) => tell(rig, checked(rig, { build: "green" }))),
  none_waits: caused({}, (rig) => tell(rig, unlabeled(rig, 1, "needs-human"))),
  not_ours: caused({}, (rig) =>
    tell(rig, aDomainEvent("pull_closed", { ...facts(rig), pull: 77, headRef: "theirs" })),
  ),
  not_permitted: caused({}, (rig) => tell(rig, labeled(rig, 1, { by: "eve" }))),
  nothing_asked: commanded("/flotilla approve"),
  nothing_changed: caused({}, (rig) => tell(rig, edited(rig, 1, issueOne(rig).body))),
  nothing_stopped: commanded("/flotilla budget +5"),
  nothing_to_do: caused(done, (rig) => {
    const [pull = 0] = rig.repository.pulls.keys();
    // The second one finds it approved.
    return tell(rig, reviewed(rig, pull, "approved"), reviewed(rig, pull, "approved", { by: "bob" }));
  }),
  number_unreadable: commanded("/flotilla continue -1"),
  operation_refused: async () => {
    const rig = await ended();
    await rig.engine.operations.kill(operatorsAct).catch(() => {});
    return rig;
  },
  other_place: commanded("/flotilla review"),
  own_act: caused({}, (rig) =>
    tell(
      rig,
      aDomainEvent("issue_unlabeled", { ...facts(rig), issue: issueOne(rig), label: "p1", own: true }),
    ),
  ),
  own_wake: caused(asks, async (rig) => {
    const agentId = (await agentOf(rig)).id;
    const late = { key: "late", reason: "blocker", detail: "#2 was closed", grant: null } as const;
    await rig.store.wakes.add({ ...late, agentId, dueAt: 0, createdAt: 0 });
    await rig.pass(MINUTE);
  }),
  permission_unread: caused({}, (rig) =>
    tell(rig, {
      ...labeled(rig, 1, { by: "eve" }),
      unread: [{ login: "eve", error: "GitHub answered 502" }],
    }),
  ),
  person_pull: caused({}, (rig) => tell(rig, labeled(rig, 1, { personPull: 9 }))),
  plan_label: caused({}, (rig) => tell(rig, labeled(rig, 1, { label: "plan" }))),
  plan_unreadable: caused({ script: [on(1, plans())], settings: planFirst }, (rig) =>
    tell(
      rig,
      editedPlan(rig, (body) => body.replaceAll("`", "")),
    ),
  ),
  public_unconfined: caused({}, (rig) => {
    rig.repository.private = false;
    return tell(rig, labeled(rig, 1));
  }),
  pull_draft: caused(done, (rig) => {
    const [pull = 0] = rig.repository.pulls.keys();
    return tell(rig, aDomainEvent("pull_drafted", { ...facts(rig), pull, headRef: branch }));
  }),
  replanning: caused({ script: [on(1, replan())] }),
  replayed: async () => {
    const rig = await cannotWrite();
    const [failed] = await rig.store.effects.find({ state: "failed" });
    await rig.engine.operations.replayEffect({ effect: failed?.id ?? 0, by: "operator:ops" });
    await rig.idle();
    return rig;
  },
  persons_act: async () => {
    const rig = await aRig();
    await tell(rig, labeled(rig, 1));
    await rig.engine.operations.pauseScope({
      scope: `repository:${REPOSITORY.id}`,
      by: "alice",
      reason: null,
    });
    return rig;
  },
  schedule_asked: async () => {
    const daily = {
      repository: "acme/shop",
      cron: "0 6 * * *",
      timeZone: "UTC",
      role: "feat-dev",
      title: "t",
      body: "b",
    };
    const rig = await aRig({ settings: { schedules: { daily: { ...daily, jitter: undefined } } } });
    await tell(rig, labeled(rig, 2, { label: "question" }));
    const wish = { repository: "acme/shop", schedule: "daily", id: "click-1", by: "operator:ops" };
    const begun = rig.engine.operations.runSchedule(wish);
    await rig.idle();
    await begun;
    return rig;
  },
  review_not_given: () =>
    reviewRig([coding(1), reviewing(1, { error: { status: 400, message: "no model" } })]),
  reviewers_short: () =>
    reviewRig([coding(1), reviewing(1, ran(), verdict("approve"))], {
      settings: { review: { ...someSettings().review, reviewers: 2 } },
    }),
  rubber_stamp: async () => {
    const issues = [1, 2, 3, 4, 5];
    const script = issues.flatMap((issue) => [coding(issue), reviewing(issue, ran(), verdict("approve"))]);
    const rig = await aRig({ issues: 5, settings: { roles: ROLES }, script });
    for (const issue of issues.toReversed()) await tell(rig, labeled(rig, issue));
    return rig;
  },
  nit_storm: () => {
    const comments = Array.from({ length: 21 }, () => ({
      path: "feature.ts",
      line: 1,
      body: "nit: shorter",
    }));
    return reviewRig([coding(1), reviewing(1, ran(), verdict("reject", { comments }))]);
  },
  rival: caused(asleep, (rig) => tell(rig, labeled(rig, 1))),
  review_stale: async () => {
    const settings = { roles: ROLES, review: { ...someSettings().review, people: "asked" as const } };
    const rig = await aRig({ issues: 1, settings, script: [reviewingPull(2, ran(), verdict("approve"))] });
    const pull = personsPull(rig);
    await tell(rig, saidOnPull(rig, pull, "/flotilla review"));
    await tell(rig, pushedToPull(rig, pull, { by: "eve" }));
    return rig;
  },
  state_label: caused({}, (rig) => tell(rig, labeled(rig, 1, { label: "flotilla:merged" }))),
  talk: commanded("What a nice day."),
  strangers_pull: caused({}, (rig) => tell(rig, labeled(rig, 1, { strangersPulls: [9] }))),
  task: caused(done, (rig) => tell(rig, labeled(rig, 1))),
  late_command: commanded("Good morning.\n\n/flotilla resume"),
  unknown_command: commanded("/flotilla resum"),
  unknown_role: commanded("/flotilla start nobody"),
  unreachable: async () => {
    const rig = await aRig({ script: [on(1, ...work)] });
    rig.worktrees.prepare = async () => {
      throw new GitError("network", "no route to host", { consequence: "retry" });
    };
    await tell(rig, labeled(rig, 1));
    return rig;
  },
  untrusted_author: caused({}, (rig) => {
    const put = { label: "feature", own: true, authorPermitted: false };
    return tell(rig, aDomainEvent("issue_labeled", { ...facts(rig), issue: issueOne(rig), ...put }));
  }),
  usage_differs: observed({ type: "usage_differs", counted: 10, reported: 11 }),
  waits_for_person: caused(asks, (rig) => tell(rig, edited(rig, 1, "Do it in another way."))),
  which_call: caused(
    {
      settings: { runtime: { ...someSettings().runtime, permissionMode: "ask" } },
      script: [on(1, together(curl("a"), curl("b")))],
    },
    async (rig) => {
      await rig.until("it asks for both", async () => {
        const { id, token } = await agentOf(rig);
        return (await rig.store.approvals.asked(id, token)).length === 2;
      });
      await tell(rig, said(rig, 1, "/flotilla approve"));
    },
  ),
  withheld: caused({
    script: [on(1, call("comment", { body: "I begin." }))],
    settings: { level: "observe" },
  }),
  work_forgotten: async () => {
    const rig = await atWork();
    await tell(rig, said(rig, 1, "/flotilla cancel"));
    await rig.pass(7 * 24 * HOUR);
    return rig;
  },
  worktree_rebuilt: async () => {
    const rig = await aRig({ script: [on(1, edit(), escalate, ...work)] });
    await tell(rig, labeled(rig, 1));
    rig.worktrees.loseMirror();
    await tell(rig, said(rig, 1, "/flotilla resume"));
    return rig;
  },
  worktree_archived: async () => {
    const rig = await atWork();
    await tell(rig, said(rig, 1, "/flotilla cancel"));
    return rig;
  },
};
