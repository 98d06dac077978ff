import { join } from "node:path";
import { expect } from "vitest";
import type { TaskJson } from "../../../src/dashboard/api/goal-json.ts";
import type { WaitingItem } from "../../../src/dashboard/api/waiting.ts";
import { Card } from "../../../src/dashboard/page/board.ts";
import { oneLine } from "../../../src/domain/messages/format.ts";
import { isStateLabel, stateLabel } from "../../../src/domain/tasks/state-label.ts";
import type { TaskState } from "../../../src/domain/tasks/task-record.ts";
import { fastDirectory } from "../../factories/fast-directory.ts";
import { withoutPutOff } from "../../factories/put-off.ts";
import { statusComments, taskOf } from "../look.ts";
import { onDisk } from "../on-disk.ts";
import type { Rig } from "../rig.ts";
import { pageText } from "./page-text.ts";
import { asks, says, types, why } from "./places.ts";
import { advised, filled } from "./ways.ts";

/** Where the work of an issue stands, how it came there by real events, and what people must be told of it. */
export interface WorkSituation {
  readonly make: () => Promise<Rig>;
  /** 1 when left out. */
  readonly issue?: number;
  /** Null where the state says all. */
  readonly reason: RegExp | null;
  readonly next: RegExp;
  /** What people do by which it continues, where that is no command. */
  readonly goesOn?: (rig: Rig) => Promise<unknown>;
  /** What must be so outside before what is advised can work. */
  readonly first?: (rig: Rig) => Promise<unknown>;
  /** What its coder waits for is told of the coder. */
  readonly coderTells?: boolean;
}

async function situated(state: TaskState, { make, issue = 1 }: WorkSituation): Promise<Rig> {
  const rig = await make();
  expect((await taskOf(rig, issue))?.state).toBe(state);
  return rig;
}

const flat = (text: string) => text.replace(/\s+/g, " ").trim();
const plain = (text: string) => text.replaceAll("`", "");

async function jsonOf(rig: Rig, state: TaskState, issue: number): Promise<TaskJson> {
  const { tasks } = await asks<{ tasks: TaskJson[] }>({ rig }, `/api/tasks?state=${state}`);
  const json = tasks.findLast((task) => task.issue === issue);
  if (json === undefined) throw new Error(`the API has no ${state} work of #${issue}`);
  return json;
}

/** Every place that shows work says the same state, the same reason and the same way on, and that is what is so. */
export async function expectWorkTold(state: TaskState, situation: WorkSituation): Promise<void> {
  const dataDir = fastDirectory();
  const rig = await onDisk(join(dataDir, "flotilla.db"), () => situated(state, situation));
  const seat = { rig };
  const { issue = 1 } = situation;
  const json = await jsonOf(rig, state, issue);
  const { reason, next } = json;
  expect(json).toMatchObject({
    state,
    reason: situation.reason === null ? null : expect.stringMatching(situation.reason),
    next: expect.stringMatching(situation.next),
  });

  for (const view of ["/api/overview", `/api/repositories/${encodeURIComponent("acme/shop")}`])
    expect((await asks<{ tasks: TaskJson[] }>(seat, view)).tasks).toContainEqual(json);
  const card = pageText(Card({ task: json, site: "https://github.test" }));
  expect(card).toContain(plain(reason ?? ""));
  expect(card.includes(`Next: ${plain(next)}`)).toBe(!next.startsWith("nothing"));
  const { waiting } = await asks<{ waiting: WaitingItem[] }>(seat, "/api/waiting");
  for (const item of waiting.filter((one) => one.agent === null && one.issue === issue)) {
    expect(item.next.toLowerCase()).toBe(`${next}.`.toLowerCase());
    if (reason !== null) expect(item.what.toLowerCase()).toContain(reason.toLowerCase());
  }

  // The label of the first work on an issue comes with the next one, or after some minutes.
  const labels = await rig.store.effects.find({ kind: "task_label", state: "pending" });
  const isLater = withoutPutOff(labels, rig.clock.now()).length < labels.length;
  const shown = rig.repository.issues.get(issue)?.labels.filter(isStateLabel);
  expect(shown).toEqual(isLater ? [] : [stateLabel(state)]);
  const line = (statusComments(rig, issue).at(-1) ?? "").split("\n").find((one) => one.startsWith("Task: "));
  expect(line).toMatch(new RegExp(`^Task: \\*\\*${state}\\*\\*`));
  if (reason !== null) expect(line).toContain(`; ${oneLine(reason)}`);
  const comes = next.startsWith("nothing: ") ? `you need to do ${next}` : `next: ${next}`;
  expect(line?.includes(`; ${comes}`)).toBe(situation.coderTells !== true);

  const told = `the work of #${issue} is ${state}${reason === null ? "" : `: ${flat(reason)}`} → ${next}`;
  expect(await types(dataDir, "explain", `acme/shop#${issue}`)).toContain(told);
  const listed = await types(dataDir, "tasks", "--state", state, "--json");
  expect(JSON.parse(listed.split("\n").join("")).tasks).toContainEqual(json);
  const row = flat(await types(dataDir, "tasks", "--state", state));
  if (reason !== null) expect(row).toContain(flat(reason));
  expect(row.includes(`→ ${next}`)).toBe(!next.startsWith("nothing"));
  expect(await why(seat, issue)).toContain(`- ${told}`);
}

interface Now {
  readonly task: string;
  readonly attempts: number;
  readonly awake: number;
  readonly live: number;
}

async function look(rig: Rig, issue: number): Promise<Now> {
  const task = await taskOf(rig, issue);
  const agents = await rig.store.records.find("agent", { repositoryId: 7, issue });
  return {
    task: `${task?.id} ${task?.state}`,
    attempts: agents.length,
    awake: agents.reduce((sum, { token }) => sum + token, 0),
    live: agents.filter(({ endedAt }) => endedAt === null).length,
  };
}

/** Rounds in which what was done can come true. */
const ROUNDS = 200;

async function becomes(rig: Rig, holds: () => Promise<boolean>): Promise<boolean> {
  for (let round = 0; round < ROUNDS; round += 1) {
    if (await holds()) return true;
    rig.clock.advance(1000);
    await rig.engine.tick();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return false;
}

/** The way on is taken: somebody begins or continues, or the work is given up where that was promised. */
const hasMoved = (now: Now, before: Now, verb: string): boolean =>
  verb === "cancel"
    ? now.task.endsWith("ABANDONED") || now.live < before.live
    : now.attempts > before.attempts || now.awake > before.awake;

/** Everything that is advised is taken and does what it promises, each tried where nothing else was. */
export async function expectWorkWays(state: TaskState, situation: WorkSituation): Promise<void> {
  const { issue = 1, goesOn } = situation;
  const { next } = await jsonOf(await situated(state, situation), state, issue);
  const commands = advised(next);
  if (!next.startsWith("nothing"))
    expect(commands.length + (goesOn === undefined ? 0 : 1), `a way on in: ${next}`).toBeGreaterThan(0);
  for (const command of commands) {
    const rig = await situated(state, situation);
    await situation.first?.(rig);
    const before = await look(rig, issue);
    const [typed = ""] = filled(command).split(" @");
    expect([typed, await says({ rig }, issue, typed)]).toEqual([typed, "+1"]);
    const [, verb = ""] = typed.split(" ");
    const did = await becomes(rig, async () => hasMoved(await look(rig, issue), before, verb));
    expect([typed, did]).toEqual([typed, true]);
  }
  if (goesOn === undefined) return;
  const rig = await situated(state, situation);
  const before = await look(rig, issue);
  await goesOn(rig);
  const now = async () => JSON.stringify(await look(rig, issue)) !== JSON.stringify(before);
  expect(await becomes(rig, now), "it continues").toBe(true);
}
