import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { expect } from "vitest";
import { z } from "zod";
import { SignInCookies } from "../../src/dashboard/auth/sign-in-cookies.ts";
import { dashboardParts } from "../../src/server/dashboard-parts.ts";
import type { Rig } from "../engine/rig.ts";
import { person } from "../fakes/github-world.ts";
import { asOperator, pageOf, type Served, serve, TOKEN } from "./served.ts";

const unused = () => Promise.reject(new Error("nobody asks this here"));
const answered = z.record(z.string(), z.unknown());

/** What the page reads over an engine, and what its buttons ask that engine to do. */
export interface PageOver {
  /** What `/api/<path>` answers. */
  readonly read: (path: string) => Promise<Readonly<Record<string, unknown>>>;
  /** Presses a button of an agent, and lets all follow from it; the answer's status and body. */
  readonly press: (key: string, button: string, more?: object) => Promise<readonly [number, unknown]>;
  /** Sends any act, by its path below `/api/`, and lets all follow from it; the answer's status and body. */
  readonly send: (path: string, body?: object) => Promise<readonly [number, unknown]>;
  /** The same for a call that waits for its approval. */
  readonly decide: (approval: number, button: "approve" | "deny") => Promise<readonly [number, unknown]>;
}

/** `login` = the person who looks, with their permission on GitHub; the operator where it is missing. */
export async function pageOver(rig: Rig, login?: string): Promise<PageOver> {
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
  const parts = {
    settings,
    runningCommands,
    site,
    github: rig.github,
    worktrees: rig.worktrees,
    store,
    setup: { missingLabels: async () => [] },
    clock: rig.clock,
    inForce: [],
  };
  const served = await serve(dashboardParts({ ...parts, control: () => context }), null, rig);
  const headers = login === undefined ? await served.page() : await pageOf(served, cookieOf(served, login));
  let presses = 0;
  const send = async (path: string, more = {}): Promise<readonly [number, unknown]> => {
    presses += 1;
    const wish = { id: `press-${presses}`, ...more };
    const { status, body } = await served.post(`/api/${path}`, wish, headers);
    await rig.idle();
    return [status, body];
  };
  return {
    async read(path) {
      const { status, body } = await served.get(`/api/${path}`, asOperator);
      expect([path, status]).toEqual([path, 200]);
      return answered.parse(body);
    },
    send,
    press: (key, button, more) => send(`agents/${encodeURIComponent(key)}/${button}`, more),
    decide: (approval, button) => send(`approvals/${approval}/${button}`),
  };
}

function cookieOf({ clock, store }: Pick<Served, "clock" | "store">, login: string): string {
  const cookies = new SignInCookies(TOKEN, () => clock.now(), store.signOuts);
  return cookies.open({ kind: "person", login, id: person(login).id }, new IncomingMessage(new Socket()));
}
