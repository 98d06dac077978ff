import { expect } from "vitest";
import { z } from "zod";
import { dashboardParts } from "../../src/server/dashboard-parts.ts";
import type { Rig } from "../engine/rig.ts";
import { asOperator, serve } from "./served.ts";

const unused = () => Promise.reject(new Error("nobody asks this here"));
const answered = z.record(z.string(), z.unknown());

/** What the page reads over an engine, and what its buttons ask that engine to do. */
export interface PageOver {
  /** What `/api/<path>` answers. */
  readonly read: (path: string) => Promise<Readonly<Record<string, unknown>>>;
  /** Presses a button of an agent, and lets all follow from it; the answer's status and body. */
  readonly press: (key: string, button: string, more?: object) => Promise<readonly [number, unknown]>;
  /** The same for a call that waits for its approval. */
  readonly decide: (approval: number, button: "approve" | "deny") => Promise<readonly [number, unknown]>;
}

export async function pageOver(rig: Rig): Promise<PageOver> {
  const { store, engine } = rig;
  const context = {
    store,
    operations: engine.operations,
    poke: () => {},
    onboard: unused,
    sweep: unused,
  };
  const { settings, runningCommands } = rig.context;
  const site = "https://github.test";
  const parts = { settings, runningCommands, site, github: rig.github, worktrees: rig.worktrees, store };
  const served = await serve(dashboardParts({ ...parts, control: () => context }), null, rig);
  const headers = await served.page();
  let presses = 0;
  const post = async (path: string, button: string, more = {}): Promise<readonly [number, unknown]> => {
    presses += 1;
    const wish = { id: `press-${presses}`, ...more };
    const { status, body } = await served.post(`/api/${path}/${button}`, wish, headers);
    await rig.idle();
    return [status, body];
  };
  return {
    async read(path) {
      const { status, body } = await served.get(`/api/${path}`, asOperator);
      expect([path, status]).toEqual([path, 200]);
      return answered.parse(body);
    },
    press: (key, button, more) => post(`agents/${encodeURIComponent(key)}`, button, more),
    decide: (approval, button) => post(`approvals/${approval}`, button),
  };
}
