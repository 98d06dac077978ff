import { describe, expect, it } from "vitest";
import { z } from "zod";
import { runEventJson } from "../../../src/dashboard/api/json.ts";
import type { RunEventRow } from "../../../src/domain/kernel/rows.ts";
import { RUN_EVENT_TYPES, type RunEventType } from "../../../src/domain/kernel/run-event.ts";
import { limitsOf } from "../../engine/limits-of.ts";
import { agentOf, toldTo } from "../../engine/look.ts";
import { labeled, said, tell } from "../../engine/people.ts";
import { aRig, type Rig } from "../../engine/rig.ts";
import { call, commit, complete, edit, escalate, on, openPr } from "../../engine/scripts.ts";

type Steps = Parameters<typeof on>[1][];
type Told = RunEventRow["event"]["data"];

/** A field of the document: where a reader of `/api/events` finds it, and what it is in the story. */
interface Field {
  readonly at: string;
  readonly is: unknown;
}
type Fields = Readonly<Record<string, Field>>;

const SESSION = /^flotilla-[0-9a-f]{16}-1$/;
const fails = call("read_issue", { number: 99 });
/** Four turns of the ten that it may use: one that talks, one that fails, two that work. */
const STORY: Steps = [{ ...edit(), say: "Let me look." }, fails, commit, openPr, complete];
const ERROR: Steps = [{ error: { status: 503, message: "overloaded" } }];
const LIMIT: Steps = [edit("a.ts"), edit("b.ts"), edit("c.ts")];

const told = (field: string, is: unknown): Field => ({ at: `data.${field}`, is });
const inRow = (field: string, is: unknown): Field => ({ at: field, is });

interface Case {
  readonly type: RunEventType;
  readonly steps: Steps;
  /** Which of the events of that type; the first where it says nothing. */
  readonly which?: (data: Told) => boolean;
  readonly maxTurns?: number;
  readonly fields: Fields;
}

const isMoveTo = (state: string) => (data: Told) => "to" in data && data.to === state;

/** Its events for those who watch, and each of their fields in an event of a story, by its value. */
const CASES: readonly Case[] = [
  {
    type: "state:update",
    steps: STORY,
    which: isMoveTo("executing"),
    fields: {
      status: told("to", "executing"),
      sessionId: told("session", expect.stringMatching(SESSION)),
      taskId: inRow("issue", 1),
      turn: inRow("turn", 1),
      progress: told("progress", 0.1),
    },
  },
  {
    type: "agent:starting",
    steps: STORY,
    fields: {
      taskId: inRow("issue", 1),
      sessionId: told("session", expect.stringMatching(SESSION)),
    },
  },
  {
    type: "agent:step",
    steps: STORY,
    which: (data) => "step" in data && data.step === 3,
    fields: { turn: told("current_turn", 3), progress: told("progress", 0.3) },
  },
  {
    type: "agent:paused",
    steps: [edit(), escalate],
    fields: { reason: told("reason", expect.stringContaining("contradict")), turn: inRow("turn", 2) },
  },
  {
    type: "agent:error",
    steps: ERROR,
    fields: {
      error: told("error", expect.stringContaining("overloaded")),
      code: told("code", "model_unavailable"),
      status: told("status", 503),
      recoverable: told("recoverable", true),
    },
  },
  {
    type: "agent:completed",
    steps: STORY,
    fields: { turnCount: inRow("turn", 5), result: told("result", "Built and tested.") },
  },
  { type: "agent:cleanup", steps: STORY, fields: {} },
  {
    type: "tool:start",
    steps: STORY,
    which: (data) => "input" in data && data.tool === "commit",
    fields: { tool: told("tool", "commit"), input: told("input", '{"message":"Build it"}') },
  },
  { type: "tool:running", steps: STORY, fields: { tool: told("tool", "edit") } },
  {
    type: "tool:result",
    steps: STORY,
    which: (data) => "output" in data && data.tool === "read_issue",
    fields: {
      tool: told("tool", "read_issue"),
      output: told("output", expect.stringContaining("99")),
      duration: told("duration_ms", 0),
    },
  },
  { type: "stream:token", steps: STORY, fields: { text: told("text", "Let me look.") } },
  {
    type: "approval:requested",
    steps: LIMIT,
    maxTurns: 2,
    fields: {
      taskId: inRow("issue", 1),
      reason: told("kind", "turn_limit"),
      currentTurn: told("current_turn", 2),
      maxTurns: told("max_turns", 2),
    },
  },
];

/** Events of which the document knows nothing. */
const OURS = ["agent:service", "agent:model"];

async function played(steps: Steps, maxTurns = 10): Promise<Rig> {
  const rig = await aRig({ settings: limitsOf({ maxTurns }), script: [on(1, ...steps)] });
  await tell(rig, labeled(rig, 1));
  return rig;
}

/** Rows of one kind, as `/api/events` gives them. */
async function jsonOf(rig: Rig, { type, which = () => true }: Case) {
  const agent = await agentOf(rig);
  const repository = await rig.store.repositories.get(agent.repositoryId);
  const rows = await rig.store.runEvents.after(0, { limit: 1000, agentId: agent.id });
  return rows
    .filter(({ event }) => event.type === type && which(event.data))
    .map((row) => runEventJson(row, agent, repository));
}

const object = z.record(z.string(), z.unknown());
const at = (json: unknown, path: string): unknown =>
  path.split(".").reduce<unknown>((value, key) => object.safeParse(value).data?.[key], json);

/** Each field of the published events, by its value in a story. */
export function publishedFields(): void {
  describe("the fields of the published events", () => {
    it.each(CASES)("$type carries what the document lists, by value", async (one) => {
      const rig = await played(one.steps, one.maxTurns);
      const [json] = await jsonOf(rig, one);
      expect(json).toBeDefined();
      const found = Object.entries(one.fields).map(([name, field]) => [name, at(json, field.at)]);
      expect(Object.fromEntries(found)).toEqual(
        Object.fromEntries(Object.entries(one.fields).map(([name, { is }]) => [name, is])),
      );
    });

    it("are looked at in each kind of event", () => {
      const known = [...CASES.map(({ type }) => type), ...OURS];
      expect(known.toSorted()).toEqual([...RUN_EVENT_TYPES].toSorted());
    });

    it("that state:update may carry and does not stand in tool:start, the record and the first message", async () => {
      const rig = await played([escalate, ...STORY]);
      await tell(rig, said(rig, 1, "/flotilla answer Take the second."));
      const [started] = await jsonOf(rig, { type: "tool:start", steps: STORY, fields: {} });
      expect({
        currentTool: at(started, "data.tool"),
        diff: (await agentOf(rig)).prNumber,
        feedback: toldTo(rig)[1],
      }).toEqual({
        currentTool: "escalate_to_human",
        diff: expect.any(Number),
        feedback: expect.stringContaining("Take the second."),
      });
    });

    it("name the conversation that is open", async () => {
      const rig = await played(STORY);
      const [spec] = rig.runtime.opened;
      const [json] = await jsonOf(rig, { type: "agent:starting", steps: STORY, fields: {} });
      expect(at(json, "data.session")).toBe(spec?.sessionId);
    });
  });
}
