import { describe, expect, it } from "vitest";
import { readHeadline } from "../../src/engine/status/read-headline.ts";
import { asked } from "../engine/asking.ts";
import { killOnce } from "../engine/kill-once.ts";
import { limitsOf } from "../engine/limits-of.ts";
import { approvedWork, merging } from "../engine/merge-queue-rig.ts";
import { labeled, pushed, said, tell } from "../engine/people.ts";
import { planFirst, plans } from "../engine/planning.ts";
import { aRig, type Rig, type RigOptions } from "../engine/rig.ts";
import {
  blocked,
  call,
  commit,
  complete,
  edit,
  escalate,
  on,
  type Step,
  slowly,
  work,
} from "../engine/scripts.ts";
import {
  coderMends,
  deadlockOfCompleted,
  needsReplanning,
  rejectedAndLeft,
  silentAtFirst,
} from "../engine/stuck-work.ts";
import { act } from "../engine/under-operation.ts";
import { MINUTE } from "../factories/moment.ts";
import { someSettings } from "../factories/some-settings.ts";
import { pageOver } from "./page-over.ts";

async function begun(steps: readonly Step[], options: RigOptions = {}): Promise<Rig> {
  const rig = await aRig({ ...options, script: [on(1, ...steps)] });
  await tell(rig, labeled(rig, 1));
  return rig;
}

const ask = { runtime: { ...someSettings().runtime, permissionMode: "ask" as const } };
const reviewed: readonly Step[] = [
  edit(),
  commit,
  call("open_pr", { title: "Build it", body: "As asked." }),
  complete,
];

async function somebodyPushed(): Promise<Rig> {
  const rig = await aRig({ script: [on(1, edit(), commit, slowly(MINUTE, edit("second.ts")), blocked(3))] });
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it thinks", () => rig.runtime.requests.length === 3);
  await tell(rig, pushed(rig, "flotilla/feat-dev/issue-1", { "theirs.ts": "one" }, { by: "bob" }));
  return rig;
}

async function paused(): Promise<Rig> {
  const rig = await begun([blocked(3), ...work]);
  await rig.engine.operations.pause(act);
  await rig.idle();
  return rig;
}

async function failing(): Promise<Rig> {
  const rig = await aRig({ script: [on(1, ...silentAtFirst)] });
  await rig.engine.handle(labeled(rig, 1));
  await killOnce(rig);
  return rig;
}

async function leftUnmerged(): Promise<Rig> {
  const rig = await coderMends();
  await tell(rig, said(rig, 1, "/flotilla cancel"));
  return rig;
}

/** What the list, the label and the first line of the status comment of issue 1 say. */
async function seenOf(rig: Rig) {
  const page = await pageOver(rig);
  const { waiting } = await page.read("waiting");
  const repository = await rig.store.repositories.get(7);
  if (!Array.isArray(waiting) || repository === undefined) throw new Error("nothing to look at");
  const { line } = await readHeadline(rig.context, repository, 1);
  return {
    kinds: waiting.map(({ kind }: { readonly kind: string }) => kind),
    isMarked: rig.repository.issues.get(1)?.labels.includes("needs-human"),
    line,
  };
}

describe.each([
  ["an open question", "question", () => asked(), "Answer its comment, or say `/flotilla answer <text>`"],
  ["a plan", "plan", () => begun([plans(), ...work], { settings: planFirst }), "Say `/flotilla approve`"],
  [
    "a risky call",
    "approval",
    () => begun([call("bash", { command: "curl https://example.com/" })], { settings: ask }),
    "Say `/flotilla approve`",
  ],
  [
    "a turn limit",
    "turns",
    () => begun([edit(), edit("b.ts"), edit("c.ts"), ...work], { settings: limitsOf({ maxTurns: 3 }) }),
    "`/flotilla continue [n]`",
  ],
  ["an escalation", "escalation", () => begun([escalate]), "`/flotilla resume`"],
  ["work to replan", "escalation", () => needsReplanning(), "`/flotilla retry`"],
  ["work to review", "review", () => begun(reviewed), "Review it, and merge it when you are happy"],
  ["approved work", "merge", () => approvedWork(), "Merge it on GitHub"],
  ["rejected work without a coder", "rejected", () => rejectedAndLeft(), "`/flotilla start [role]`"],
  ["a review deadlock", "deadlock", () => deadlockOfCompleted(), "`/flotilla resume"],
  ["work that cannot be merged", "unmerged", () => leftUnmerged(), "`/flotilla start [role]`"],
  ["a push of somebody else", "pause", () => somebodyPushed(), "`/flotilla resume`"],
  ["a pause", "pause", () => paused(), "`/flotilla resume`"],
  ["an error that is tried again", "error", () => failing(), "`/flotilla retry` tries at once"],
] as const)("%s", (_, kind, story, next) => {
  it("waits for a person: on the list, by the label and in the status comment", async () => {
    const seen = await seenOf(await story());
    expect(seen).toEqual({ kinds: [kind], isMarked: true, line: expect.stringContaining(next) });
    expect(seen.line).not.toContain("You need to do nothing");
  });
});

describe.each([
  ["waits for another issue", () => begun([blocked(3), ...work]), "It wakes when #3 is closed"],
  ["was merged by Flotilla", () => approvedWork({ settings: merging() }), "Done: #4 is merged"],
] as const)("what %s", (_, story, said_) => {
  it("is not on the list, has no label, and its status comment asks nobody", async () => {
    const seen = await seenOf(await story());
    expect(seen).toEqual({ kinds: [], isMarked: false, line: expect.stringContaining(said_) });
  });
});
