import { describe, expect, it } from "vitest";
import { agentJson } from "../../../src/dashboard/api/json.ts";
import { blankRun, type RunEvent, runMachine } from "../../../src/domain/agents/run.ts";
import { step } from "../../../src/domain/kernel/state-machine.ts";
import { configSchema } from "../../../src/domain/settings/config-schema.ts";
import { grow, watchedStore } from "../../adapters/store/watched-store.ts";
import { load, SOUND_YAML } from "../../config/workplace.ts";
import { moved } from "../../domain/machines/moved.ts";
import { agentStatusFacts } from "../../factories/agent-status-facts.ts";
import { aRepository } from "../../factories/an-occurrence.ts";
import { AT } from "../../factories/moment.ts";
import { anAgent, aRun } from "../../factories/records.ts";
import { byHand } from "../../reach/record.ts";
import { misplaced } from "../places.ts";
import { EVENTS_002, PAYLOADS } from "./events.ts";
import {
  AGENT_NAMES,
  ANNOUNCEMENT,
  COLUMNS,
  CONFIDENCE_NEEDED,
  HISTORY,
  INDEXES,
  MADE_WITH,
  METADATA,
} from "./record.ts";

const base = { at: AT, actor: "flotilla" };
const after = (run: Parameters<typeof aRun>[0], event: RunEvent) =>
  moved(step(runMachine, aRun(run), event)).snapshot;

/** What the document keeps, event by event and field by field. */
export function showRecord(): void {
  describe("the payloads of the events", () => {
    it.each(EVENTS_002)("%s: each field has its place", (event) => {
      expect(misplaced(PAYLOADS[event])).toEqual([]);
    });
  });

  describe("the fields of the records", () => {
    it.each([
      ["the metadata", METADATA],
      ["an entry of the history", HISTORY],
      ["what a machine is made with", MADE_WITH],
      ["a row of the table", COLUMNS],
      ["an announcement", ANNOUNCEMENT],
    ])("%s: each field has its place", (_, places) => {
      expect(misplaced(places)).toEqual([]);
    });
  });

  describe("what an event leaves in the record", () => {
    it.each(["STEP_FAILED", "TIMEOUT", "MAX_ITERATIONS"] as const)("%s leaves its error", (type) => {
      const run = { state: "waiting_agent" } as const;
      expect(after(run, { ...base, type, error: "the disk is full", code: "git_unavailable" })).toMatchObject(
        {
          error: "the disk is full",
          errorCode: "git_unavailable",
        },
      );
    });

    it.each([
      { type: "EVALUATION_PASS", confidence: 0.9 },
      { type: "EVALUATION_FAIL", missing: "no pull request", maxBounces: 3, confidence: 0.4 },
    ] as const)("$type leaves its confidence", (event) => {
      expect(after({ state: "evaluating" }, { ...base, ...event }).confidence).toBe(event.confidence);
    });

    it("each round of its loop, from executing to evaluating, is one iteration more", () => {
      expect(blankRun.iteration).toBe(0);
      const first = after({ state: "executing", iteration: 0 }, { ...base, type: "STEP_COMPLETE" });
      expect(first.iteration).toBe(1);
      const again = after({ ...first, state: "executing" }, { ...base, type: "STEP_COMPLETE" });
      expect(again.iteration).toBe(2);
    });

    it("EVALUATION_FAIL leaves its reason", () => {
      const missing = "no pull request";
      const event: RunEvent = { ...base, type: "EVALUATION_FAIL", missing, maxBounces: 3 };
      expect(after({ state: "evaluating" }, event).error).toBe(missing);
    });

    it("a wait leaves what it waits for, and its end clears it", () => {
      const waiting = after({}, { ...base, type: "AGENT_NEEDED", waitingFor: "#7" });
      expect(waiting.waitingFor).toBe("#7");
      expect(
        moved(step(runMachine, waiting, { ...base, type: "AGENT_COMPLETE" })).snapshot.waitingFor,
      ).toBeNull();
    });

    it("PAUSE leaves the state that it came from, and RESUME clears it", () => {
      const paused = after({ state: "planning" }, { ...base, type: "PAUSE" });
      expect(paused.remembered).toBe("planning");
      expect(moved(step(runMachine, paused, { ...base, type: "RESUME" })).snapshot.remembered).toBeNull();
    });
  });

  describe("the table and its indexes", () => {
    it("begins a record in idle", () => {
      expect(blankRun.state).toBe("idle");
    });

    it.each(INDEXES)("finds $finds by an index, whatever else is kept", async ({ ask, by }) => {
      const { store, statements, planOf } = watchedStore();
      await byHand(() => grow(store, 50));
      statements();
      await ask(store);
      const asked = statements().filter((text) => /^select .*from "(?:agent|run)"/i.test(text));
      expect(asked).toHaveLength(1);
      expect(asked.flatMap(planOf)[0]).toMatch(by);
    });

    it("takes the document's kinds of agents as names of roles", () => {
      const roles = AGENT_NAMES.map(
        (name) => `  ${name}: { prompt: worker.md, triggers: [{ event: issues.labeled, label: ${name} }] }`,
      );
      const worker = "---\ndescription: Works\ntools: [report_complete]\n---\nYou work.\n";
      const files = { "config/roles/worker.md": worker };
      const { config } = load([SOUND_YAML, "roles:", ...roles].join("\n"), { files });
      expect([...config.roles.keys()]).toEqual([...AGENT_NAMES]);
    });
  });

  describe("what a result needs", () => {
    it("a confidence of 0.85 by default, where an evaluator is configured", () => {
      expect(configSchema.parse({}).evidence.evaluatorThreshold).toBe(CONFIDENCE_NEEDED);
    });
  });

  describe("the status query", () => {
    it("answers for each agent its name, state, task and what it waits for", () => {
      const agent = anAgent({ state: "SLEEPING", sleepReason: "blocked", blockedBy: [7] });
      const shown = agentJson(
        agent,
        aRepository(),
        agentStatusFacts({ run: aRun({ state: "waiting_agent" }) }),
      );
      expect(shown).toMatchObject({
        key: "acme/shop:feat-dev-issue-42",
        phase: "waiting_agent",
        issue: 42,
        sleep_reason: "blocked",
        blocked_by: [7],
      });
    });
  });
}
