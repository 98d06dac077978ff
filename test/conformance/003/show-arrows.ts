import { describe, expect, it } from "vitest";
import { sessionMachine } from "../../../src/domain/agents/session.ts";
import { GitError, RuntimeError } from "../../../src/domain/kernel/errors.ts";
import { arrowsOf } from "../../domain/machines/arrow.ts";
import { agentOf, sessionsOf } from "../../engine/look.ts";
import { methodOf } from "../../engine/method-of.ts";
import { closed, labeled, said, tell } from "../../engine/people.ts";
import { aRig, type Rig, type RigOptions } from "../../engine/rig.ts";
import { blocked, complete, edit, on, review, slowly, work } from "../../engine/scripts.ts";
import { HOUR, MINUTE } from "../../factories/moment.ts";
import { AT, KEY } from "./places.ts";

type Story = () => Promise<Rig>;

const act = { agent: KEY, by: "operator:root", reason: null };

async function done(options: RigOptions): Promise<Rig> {
  const rig = await aRig(options);
  await tell(rig, labeled(rig, 1));
  return rig;
}

/** What is awaited at the next opening happens in place of it. */
function failsToOpen(rig: Rig): void {
  rig.runtime.open = () => Promise.reject(new Error("the runtime broke"));
}

const until = (rig: Rig, state: string) =>
  rig.until(`it is ${state}`, async () => (await sessionsOf(rig)).at(-1)?.state === state);

const killedIn =
  (state: keyof typeof AT): Story =>
  async () => {
    const rig = await AT[state]();
    await rig.engine.operations.kill({ ...act, id: "k" });
    return rig;
  };

/** It is woken from there, and its process cannot be started. */
const isRepeatedWake =
  (state: "idle" | "waiting_approval" | "paused", wake: (rig: Rig) => Promise<unknown>): Story =>
  async () => {
    const rig = state === "paused" ? await AT.running() : await AT[state]();
    if (state === "paused") await rig.engine.operations.pause({ ...act, id: "p" });
    await rig.idle();
    failsToOpen(rig);
    await wake(rig);
    await rig.idle();
    return rig;
  };

/** What the engine is made to do, and the arrows that it takes on the way. */
const STORIES: Readonly<Record<string, readonly [Story, ...string[]]>> = {
  "a claim is sent back once, then its work is complete": [
    () => done({ script: [on(1, complete, ...work)] }),
    "unspecified --START--> starting",
    "starting --RUN--> running",
    "running --REST--> idle",
    "idle --RUN--> running",
    "idle --STOP--> stopping",
    "stopping --STOPPED--> stopped",
  ],
  "it sleeps behind a blocker, and wakes": [
    async () => {
      const rig = await done({ script: [on(1, blocked(2), ...work)] });
      await tell(rig, closed(rig, 2));
      return rig;
    },
    "idle --WAKE--> running",
  ],
  "it waits for its review": [
    () => done({ script: [on(1, ...work.slice(0, -1), review)] }),
    "idle --REST--> idle",
  ],
  "it is at its turn limit, and a person lets it continue": [
    async () => {
      const rig = await AT.waiting_approval();
      await rig.engine.handle(said(rig, 1, "/flotilla continue"));
      await until(rig, "running");
      return rig;
    },
    "running --AWAIT_APPROVAL--> waiting_approval",
    "waiting_approval --WAKE--> running",
  ],
  "nobody decides for a day": [
    async () => {
      const rig = await AT.waiting_approval();
      await rig.pass(25 * HOUR);
      return rig;
    },
    "waiting_approval --REST--> idle",
  ],
  "a person pauses it at work, and lets it continue": [
    async () => {
      const rig = await AT.running();
      await rig.engine.operations.pause({ ...act, id: "p" });
      await rig.idle();
      await rig.engine.operations.resume({ ...act, id: "r" });
      await until(rig, "running");
      return rig;
    },
    "running --PAUSE--> paused",
    "paused --WAKE--> running",
  ],
  "a person pauses it while it is opened": [
    async () => {
      const rig = await AT.starting();
      await rig.engine.operations.pause({ ...act, id: "p" });
      return rig;
    },
    "starting --PAUSE--> paused",
  ],
  "a person pauses it asleep, and lets it continue": [
    async () => {
      const rig = await AT.paused();
      await rig.engine.operations.resume({ ...act, id: "r" });
      return rig;
    },
    "idle --PAUSE--> paused",
    "paused --REST--> idle",
  ],
  "a person pauses it while it waits for approval, and lets it continue": [
    async () => {
      const rig = await AT.waiting_approval();
      await rig.engine.operations.pause({ ...act, id: "p" });
      await rig.engine.operations.resume({ ...act, id: "r" });
      return rig;
    },
    "waiting_approval --PAUSE--> paused",
    "paused --AWAIT_APPROVAL--> waiting_approval",
  ],
  "GitHub is away when it is opened": [
    async () => {
      const rig = await aRig({ script: [on(1, ...work)] });
      const away = { consequence: "retry" } as const;
      rig.worktrees.prepare = () =>
        Promise.reject(new GitError("unavailable", "the git server cannot be reached", away));
      await tell(rig, labeled(rig, 1));
      return rig;
    },
    "starting --REST--> idle",
  ],
  "it is killed while it is opened": [killedIn("starting"), "starting --STOP--> stopping"],
  "it is killed at work": [killedIn("running"), "running --STOP--> stopping"],
  "it is killed asleep": [killedIn("idle"), "idle --STOP--> stopping"],
  "it is killed while it waits for approval": [
    killedIn("waiting_approval"),
    "waiting_approval --STOP--> stopping",
  ],
  "it is killed while it is held": [killedIn("paused"), "paused --STOP--> stopping"],
  "the host is killed, and begins again": [
    async () => {
      const rig = await AT.stopping();
      await until(rig, "running");
      return rig;
    },
    "stopped --START--> starting",
  ],
  "its process dies, and it is tried again": [
    async () => {
      const rig = await AT.running();
      rig.runtime.kill((await agentOf(rig)).sessionId ?? "");
      await rig.idle();
      rig.clock.advance(MINUTE);
      await rig.engine.tick();
      await until(rig, "running");
      return rig;
    },
    "running --FAIL--> failed",
    "failed --START--> starting",
  ],
  "its process dies, and it is killed before it is tried again": [
    async () => {
      const rig = await AT.running();
      rig.runtime.kill((await agentOf(rig)).sessionId ?? "");
      await rig.idle();
      await rig.engine.operations.kill({ ...act, id: "k" });
      await rig.idle();
      return rig;
    },
    "failed --STOPPED--> stopped",
  ],
  "it cannot be opened": [
    async () => {
      const rig = await aRig({ script: [on(1, ...work)] });
      failsToOpen(rig);
      await tell(rig, labeled(rig, 1));
      return rig;
    },
    "starting --FAIL--> failed",
  ],
  "it is woken, and cannot be opened": [
    isRepeatedWake("idle", (rig) => tell(rig, closed(rig, 2))),
    "idle --FAIL--> failed",
  ],
  "it may continue, and cannot be opened": [
    isRepeatedWake("waiting_approval", (rig) => tell(rig, said(rig, 1, "/flotilla continue"))),
    "waiting_approval --FAIL--> failed",
  ],
  "it is let go, and cannot be opened": [
    isRepeatedWake("paused", (rig) => rig.engine.operations.resume({ ...act, id: "r" })),
    "paused --FAIL--> failed",
  ],
  "its process cannot be stopped": [
    async () => {
      const rig = await aRig({ script: [on(1, slowly(MINUTE, edit()))] });
      const open = methodOf(rig.runtime, "open");
      rig.runtime.open = async (spec) => {
        const session = await open(spec);
        let stuck = true;
        return {
          ...session,
          stop: async () => {
            if (!stuck) return session.stop();
            stuck = false;
            throw new RuntimeError("stuck", "it does not answer", { consequence: "stop" });
          },
        };
      };
      await rig.engine.handle(labeled(rig, 1));
      await until(rig, "running");
      await tell(rig, said(rig, 1, "/flotilla cancel"));
      return rig;
    },
    "stopping --FAIL--> failed",
  ],
};

const known = arrowsOf(sessionMachine).map(({ from, event, to }) => `${from} --${event}--> ${to}`);

/** Each arrow of our Session is taken by the engine as it runs; none is written by hand. */
export function showArrows(): void {
  describe("the arrows", () => {
    it.each(Object.entries(STORIES))("%s", async (_, [story, ...arrows]) => {
      const rig = await story();
      const moves = await rig.store.transitions.ofAgent((await agentOf(rig)).id);
      const taken = moves
        .filter(({ machine }) => machine === "session")
        .map(({ from, event, to }) => `${from} --${event}--> ${to}`);
      expect(taken).toEqual(expect.arrayContaining(arrows));
      expect(taken.filter((arrow) => !known.includes(arrow))).toEqual([]);
    });

    it("are all there are", () => {
      const told = Object.values(STORIES).flatMap(([, ...arrows]) => arrows);
      expect([...new Set(told)].toSorted()).toEqual(known.toSorted());
    });
  });
}
