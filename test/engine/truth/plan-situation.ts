import { join } from "node:path";
import { expect } from "vitest";
import type { GoalJson } from "../../../src/dashboard/api/goal-json.ts";
import { Checkpoints } from "../../../src/dashboard/page/checkpoints.ts";
import { GoalTable } from "../../../src/dashboard/page/goal-table.ts";
import { plainly } from "../../../src/dashboard/page/state-words.ts";
import { oneLine } from "../../../src/domain/messages/format.ts";
import { fastDirectory } from "../../factories/fast-directory.ts";
import { commentsOn, statusComments } from "../look.ts";
import { onDisk } from "../on-disk.ts";
import type { Rig } from "../rig.ts";
import { pageText } from "./page-text.ts";
import { asks, operates, press, says, types, why } from "./places.ts";
import { advised, filled } from "./ways.ts";

/** Where a goal, or a sprint without one, stands, how it came there by real events, and what people must be told of it. */
export interface PlanSituation {
  readonly make: () => Promise<Rig>;
  /** The issue where it is steered. */
  readonly issue: number;
  /** What is shown where that is not the record's own state. */
  readonly shown?: string;
  readonly reason: RegExp | null;
  readonly next: RegExp;
  /** One of the issues of its sprint; null where it has none. */
  readonly part: number | null;
  readonly first?: (rig: Rig) => Promise<unknown>;
}

type Machine = "goal" | "sprint";

async function situated(machine: Machine, state: string, { make }: PlanSituation): Promise<Rig> {
  const rig = await make();
  const states =
    machine === "goal"
      ? (await rig.store.records.find("goal", {})).map((goal) => goal.state)
      : (await rig.store.records.find("sprint", {})).map((sprint) => sprint.state);
  expect(states).toContain(state);
  return rig;
}

const changed = () => {};
const flat = (text: string) => text.replace(/\s+/g, " ").trim();
const plain = (text: string) => text.replaceAll("`", "");

async function jsonOf(rig: Rig, { issue }: PlanSituation): Promise<GoalJson> {
  const { goals } = await asks<{ goals: GoalJson[] }>({ rig }, "/api/goals?state=any");
  const json = goals.find(({ key }) => key === `acme/shop#${issue}`);
  if (json === undefined) throw new Error(`the API has no goal or sprint at #${issue}`);
  return json;
}

/** Every place that shows a goal or a sprint says the same state, the same reason and the same way on. */
export async function expectPlanTold(
  machine: Machine,
  state: string,
  situation: PlanSituation,
): Promise<void> {
  const dataDir = fastDirectory();
  const rig = await onDisk(join(dataDir, "flotilla.db"), () => situated(machine, state, situation));
  const { issue, part, shown = state } = situation;
  const seat = { rig };
  const json = await jsonOf(rig, situation);
  const { reason, next, takes, title, key } = json;
  expect(json).toMatchObject({
    kind: machine,
    state: shown,
    reason: situation.reason === null ? null : expect.stringMatching(situation.reason),
    next: expect.stringMatching(situation.next),
  });

  const isOver = takes.length === 0;
  const overview = await asks<{ goals: GoalJson[]; ended_goals: object[] }>(seat, "/api/overview");
  if (!isOver) expect(overview.goals).toContainEqual(json);
  else if (machine === "goal")
    expect(overview.ended_goals).toContainEqual(expect.objectContaining({ issue, state }));
  if (machine === "goal") {
    const place = await asks<{ goal: object; plan: GoalJson }>(
      seat,
      `/api/goals/${encodeURIComponent("acme/shop")}/${issue}`,
    );
    expect(place).toMatchObject({ goal: { state: shown }, plan: json });
    const status = statusComments(rig, issue).at(-1) ?? "";
    expect(status).toContain(`**Goal: ${shown}**${reason === null ? "" : `, ${oneLine(reason)}`}\n`);
    expect(status).toContain(`Next for the goal: ${next}.`);
    for (const sprint of json.sprints)
      expect(status).toContain(
        `- Sprint ${sprint.title}: ${sprint.state}${sprint.reason === null ? "" : ` (${oneLine(sprint.reason)})`}`,
      );
  }
  // A move that asks or ends is told in a comment of its own.
  if (shown !== "IN_PROGRESS")
    expect(commentsOn(rig, issue).join("\n")).toMatch(new RegExp(`is (?:at )?${shown}\\b`));

  const table = pageText(GoalTable({ goals: [json], site: "https://github.test", changed }));
  expect(table).toContain(title);
  expect(table).toContain(`${plainly(shown)}${reason === null ? "" : ` ${reason}`}`.trim());
  const buttons = takes.map((verb) => `[${verb.charAt(0).toUpperCase()}${verb.slice(1)}]`);
  expect(table.endsWith(buttons.join(""))).toBe(true);
  const asked = pageText(Checkpoints({ goals: [json], changed }));
  if (shown === "CHECKPOINT")
    expect(flat(asked)).toMatch(
      new RegExp(`${reason}.*${plain(next).slice(0, 20)}`.replaceAll(/["()]/g, ".")),
    );
  else expect(asked).toBe("");

  const list = await types(dataDir, "goals", "list", "--all", "--json");
  expect(JSON.parse(list.split("\n").join("")).goals).toContainEqual(json);
  const row = flat(await types(dataDir, "goals", "list", "--all"));
  expect(row).toContain(`${key} ${shown}`);
  if (reason !== null) expect(row).toContain(flat(reason));
  expect(row.includes(`→ ${next}`)).toBe(!next.startsWith("nothing"));
  const show = flat(await types(dataDir, "goals", "show", key ?? ""));
  expect(show).toContain(`(${key}) is ${shown}: `);
  if (reason !== null) expect(show).toContain(`Why: ${flat(reason)}.`);
  expect(show).toContain(`Next: ${next}.`);

  const name = machine === "goal" ? `the goal "${title}" of #${issue}` : `the sprint "${title}"`;
  const line = `${name} is ${shown}${reason === null ? "" : `: ${flat(reason)}`} → ${next}`;
  for (const at of new Set([issue, part ?? issue])) {
    expect(await types(dataDir, "explain", `acme/shop#${at}`)).toContain(line);
    expect(await why(seat, at)).toContain(`- ${line}`);
  }
}

/** What each verb promises of what is shown then. */
const PROMISES = { checkpoint: /^CHECKPOINT$/, continue: /^(?:IN_PROGRESS|COMPLETED)$/, abort: /^ABORTED$/ };

const isVerb = (verb: string): verb is keyof typeof PROMISES => Object.hasOwn(PROMISES, verb);

/** Everything that is advised, offered as a button, or named by the command is taken and does what it promises. */
export async function expectPlanWays(
  machine: Machine,
  state: string,
  situation: PlanSituation,
): Promise<void> {
  const { issue, first } = situation;
  const part = situation.part ?? issue;
  const fresh = () => situated(machine, state, situation);
  const { next, takes, key } = await jsonOf(await fresh(), situation);
  const typed = advised(next).map((command) => filled(command).split(" @")[0] ?? "");
  expect(typed.flatMap((command) => command.split(" ")[1] ?? []).filter(isVerb)).toEqual([...takes]);
  for (const command of typed) {
    const rig = await fresh();
    await first?.(rig);
    const verb = command.split(" ")[1] ?? "";
    const before = (await rig.store.records.find("agent", { issue: part })).length;
    expect([command, await says({ rig }, isVerb(verb) ? issue : part, command)]).toEqual([command, "+1"]);
    if (isVerb(verb)) expect((await jsonOf(rig, situation)).state).toMatch(PROMISES[verb]);
    else expect(await rig.store.records.find("agent", { issue: part })).toHaveLength(before + 1);
  }
  for (const verb of takes) {
    const pressed = await fresh();
    expect([verb, await press({ rig: pressed }, "goals", key ?? "", verb)]).toMatchObject([
      verb,
      { status: 200 },
    ]);
    expect((await jsonOf(pressed, situation)).state).toMatch(PROMISES[verb]);
    const terminal = await fresh();
    const body = { repository: "acme/shop", issue, verb, id: "t-1" };
    expect([verb, await operates({ rig: terminal }, "/goals/steer", body)]).toMatchObject([
      verb,
      { status: 200 },
    ]);
    expect((await jsonOf(terminal, situation)).state).toMatch(PROMISES[verb]);
  }
}
