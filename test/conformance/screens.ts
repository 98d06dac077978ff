import { describe, expect, it } from "vitest";
import { z } from "zod";
import { LOOK_MS } from "../../src/dashboard/page/live.ts";
import { readPageFiles } from "../../src/dashboard/page-files.ts";
import { pageOver } from "../dashboard/page-over.ts";
import { asOperator, serve } from "../dashboard/served.ts";
import { IN_PHASE, PHASES } from "../engine/in-phase.ts";
import { stateOf } from "../engine/look.ts";
import { labeled, tell } from "../engine/people.ts";
import { aRig, type Rig } from "../engine/rig.ts";
import { after, commit, complete, edit, on, openPr, work } from "../engine/scripts.ts";
import { ASKING, curl } from "../engine/together/work-under-way.ts";
import { AT_WORK, STATES_002 } from "./002/states.ts";

const answered = z.looseObject({
  agents: z.array(z.looseObject({})).optional(),
  tasks: z.array(z.looseObject({})).optional(),
  waiting: z.array(z.looseObject({})).optional(),
});

const waitingCalls = z.object({
  waiting: z.array(
    z.object({
      kind: z.string(),
      agent: z.object({ key: z.string() }),
      approval: z.object({ id: z.int(), tool: z.string(), input: z.string() }),
    }),
  ),
});
const NO_CHANGES = { agent: { key: "" }, approval: { id: 0 } };

/** What the page is answered over the engine's database. */
async function asked(rig: Rig, path: string): Promise<z.infer<typeof answered>> {
  const served = await serve({}, null, rig);
  const { status, body } = await served.get(path, asOperator);
  expect(status).toBe(200);
  return answered.parse(body);
}

/** Document 000 points at four drawings: here the page shows each. */
export function wireframes(): void {
  describe("the drawings of its screens", () => {
    it("running: the card on the board says that its agent works, and at what", async () => {
      const { rig } = await IN_PHASE.executing();
      const { tasks } = await asked(rig, "/api/overview");
      expect(tasks).toMatchObject([
        { issue: 1, state: "CLAIMED", live: { state: "ACTIVE", phase: "executing" } },
      ]);
    });

    it("paused for an approval: the call and the diff stand beside what approves or denies it", async () => {
      const goesOn = after("You are awake again", curl);
      const script = [on(1, edit(), commit, openPr, curl, goesOn, complete)];
      const rig = await aRig({ ...ASKING, script });
      await tell(rig, labeled(rig, 1));
      const page = await pageOver(rig);
      const { waiting } = waitingCalls.parse(await page.read("waiting"));
      expect(waiting).toMatchObject([
        { kind: "approval", approval: { tool: "bash", input: expect.stringContaining("curl") } },
      ]);
      const [{ agent, approval } = NO_CHANGES] = waiting;
      expect(await page.read(`agents/${encodeURIComponent(agent.key)}/diff`)).toEqual({
        diff: { files: ["feature.ts"], patch: expect.stringContaining("+export {};"), cut: false },
      });
      expect(await page.decide(approval.id, "approve")).toMatchObject([200, {}]);
      expect(await rig.store.approvals.get(approval.id)).toMatchObject({ state: "used" });
      expect(await stateOf(rig)).toBe("COMPLETED");
      expect(await page.read("waiting")).toMatchObject({ waiting: [{ kind: "review" }] });
    });

    it("queued: a task that awaits its agent has a place and the reason", async () => {
      const rig = await aRig({ script: [on(1, ...work)] });
      await rig.engine.operations.pauseScope({ scope: "all", by: "alice", reason: "let me look" });
      await tell(rig, labeled(rig, 1));
      const { tasks } = await asked(rig, "/api/overview");
      expect(tasks).toMatchObject([
        { live: { state: "CREATED", place: 1, why: expect.stringContaining("let me look") } },
      ]);
    });

    it("error: its details, and a retry", async () => {
      const { rig } = await IN_PHASE.error();
      const { waiting } = await asked(rig, "/api/waiting");
      expect(waiting).toMatchObject([
        {
          kind: "error",
          what: expect.stringContaining("overloaded"),
          acts: expect.arrayContaining(["retry"]),
        },
      ]);
    });
  });
}

/** The style of the page, as it is served. */
function style(): string {
  const { files } = readPageFiles();
  return [...files.values()]
    .filter(({ type }) => type.startsWith("text/css"))
    .map(({ body }) => body)
    .join("\n");
}

/** Document 002 shows a card of a page and the question behind it. */
export function statusCard(): void {
  describe("the status card", () => {
    it("has a symbol for each of its twelve states, no two alike", () => {
      const symbols = STATES_002.map(
        (state) => new RegExp(`\\.phase\\.${state}::before *\\{([^}]*)\\}`).exec(style())?.[1] ?? state,
      );
      expect(new Set(symbols).size).toBe(STATES_002.length);
      expect(symbols.filter((symbol) => !symbol.includes("background"))).toEqual([]);
    });

    const phases = PHASES.filter((phase) => AT_WORK.some((state) => state === phase));
    it("has each state at work among our phases", () => expect(phases).toHaveLength(AT_WORK.length));

    it.each(phases)("is answered over HTTP with name, state and task of an agent in %s", async (phase) => {
      const { rig } = await IN_PHASE[phase]();
      const { agents } = await asked(rig, "/api/agents");
      expect(agents).toMatchObject([{ key: "acme/shop:feat-dev-issue-1", phase, issue: 1 }]);
    });

    // test/browser/polling.test.ts lets five seconds pass on the page, in a real browser.
    it("is read again every five seconds, beside what events tell", () => {
      expect(LOOK_MS).toBe(5000);
    });
  });
}
