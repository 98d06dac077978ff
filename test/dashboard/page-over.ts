import { expect } from "vitest";
import { z } from "zod";
import { act } from "../../src/commands/control-acts.ts";
import type { Rig } from "../engine/rig.ts";
import { asOperator, serve } from "./served.ts";

const unused = () => Promise.reject(new Error("nobody asks this here"));
const answered = z.record(z.string(), z.unknown());

/** What the page reads over an engine, and what its buttons ask that engine to do. */
export interface PageOver {
  /** What `/api/<path>` answers. */
  readonly read: (path: string) => Promise<Readonly<Record<string, unknown>>>;
  /** Presses a button of an agent, and lets all follow from it; the answer's status and body. */
  readonly press: (key: string, button: string) => Promise<readonly [number, unknown]>;
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
  const does = (path: string, body: object) =>
    act(context, { path, body, signal: new AbortController().signal });
  const served = await serve({ act: does }, null, rig);
  const headers = await served.page();
  return {
    async read(path) {
      const { status, body } = await served.get(`/api/${path}`, asOperator);
      expect([path, status]).toEqual([path, 200]);
      return answered.parse(body);
    },
    async press(key, button) {
      const path = `/api/agents/${encodeURIComponent(key)}/${button}`;
      const { status, body } = await served.post(path, { id: button }, headers);
      await rig.idle();
      return [status, body];
    },
  };
}
