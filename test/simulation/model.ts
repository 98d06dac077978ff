import type { ScriptStep } from "../../src/demo/model/script.ts";
import type { FakeModel } from "../fakes/agent-runtime.ts";
import type { Chance } from "./chance.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;

const text = { title: "Build it", body: "As asked.", summary: "Built and tested.", reason: "It must be so." };

/** The ways of a coder and a reviewer that do all as they should. */
const WORK: readonly string[] = ["edit", "commit", "open_pr", "report_complete"];
const REVIEW: readonly string[] = ["bash", "submit_verdict"];

/** Arguments of each tool, legal ones for the most part. */
const CALLS: Readonly<Record<string, (chance: Chance) => Record<string, unknown>>> = {
  edit: (chance) => ({
    path: `file-${chance.below(4)}.ts`,
    content: `export const n = ${chance.below(1000)};`,
  }),
  bash: () => ({ command: "npm test", description: "Look" }),
  commit: () => ({ message: "Build it" }),
  open_pr: () => ({ title: text.title, body: text.body }),
  report_complete: () => ({ summary: text.summary }),
  request_review: () => ({ summary: text.summary }),
  report_blocked: (chance) => ({ blocker_issue: 1 + chance.below(6), reason: text.reason }),
  ask_human: (chance) => ({
    question: "Light or dark?",
    options: ["light", "dark"],
    ...(chance.happens(0.5) ? { default: "dark" } : {}),
    ...(chance.happens(0.5) ? { deadline: "2h" } : {}),
  }),
  escalate_to_human: () => ({ reason: text.reason, category: "decision", question: "Which one?" }),
  comment: (chance) => ({ body: `Word ${chance.below(1000)}.` }),
  create_blocker_issue: (chance) => ({ title: `Part ${chance.below(1000)}`, body: text.body }),
  submit_plan: () => ({ plan: "Build, then test." }),
  get_my_status: () => ({}),
  read_issue: () => ({}),
  check_for_events: () => ({}),
  list_fleet: () => ({}),
  write_handoff: () => ({ summary: text.summary, next_action: "Continue." }),
  submit_verdict: (chance) => ({
    commit: "{{commit}}",
    verdict: chance.one(["approve", "reject"]),
    body: "As I see it.",
    evidence: ["npm test"],
  }),
};

const refusing = (status: number): ScriptStep => ({ error: { status, message: "not now", headers: {} } });

const NO_TOOL: readonly ScriptStep[] = [{ say: "Hm." }, ...[500, 429, 503, 401, 400].map(refusing)];

/** A model that mostly does its work and now and then anything else that it may. */
export function randomModel(chance: Chance): FakeModel {
  /** How far each conversation has come on its way. */
  const places = new Map<string, number>();
  const calling = (tool: string): ScriptStep => ({ call: [{ tool, args: CALLS[tool]?.(chance) ?? {} }] });
  return (_, spec) => {
    const mine = ["edit", "bash", ...spec.tools.map(({ name }) => name)];
    const way = mine.includes("submit_verdict") ? REVIEW : WORK;
    const place = places.get(spec.sessionId) ?? 0;
    const next = way[place % way.length] ?? "edit";
    const delayMs = chance.among([
      [6, 0],
      [3, 20 * SECOND],
      [1, 9 * MINUTE],
    ]);
    if (mine.includes(next) && chance.happens(0.7)) {
      places.set(spec.sessionId, place + 1);
      return { ...calling(next), delayMs };
    }
    const other = chance.happens(0.25)
      ? chance.one(NO_TOOL)
      : calling(chance.one(Object.keys(CALLS).filter((tool) => mine.includes(tool))));
    return { ...other, delayMs };
  };
}
