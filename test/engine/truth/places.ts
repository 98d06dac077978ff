import { commandLine } from "../../../src/cli/command-line.ts";
import { everyCommand } from "../../../src/cli/commands.ts";
import type { AgentView } from "../../../src/dashboard/api/agent-view.ts";
import type { TaskJson } from "../../../src/dashboard/api/goal-json.ts";
import type { WaitingItem } from "../../../src/dashboard/api/waiting.ts";
import type { AgentRecord } from "../../../src/domain/agents/agent-record.ts";
import { act } from "../../../src/server/control/control-acts.ts";
import { askRoute } from "../../dashboard/ask-route.ts";
import { commentsOn } from "../look.ts";
import { said } from "../people.ts";
import type { Rig } from "../rig.ts";

const commands = await everyCommand();

/** The rig, and the agent that is asked about. */
export interface Seat {
  readonly rig: Rig;
  readonly agent: AgentRecord;
}

/** What the API answers, as the page reads it. */
export async function asks<Body>({ rig }: Pick<Seat, "rig">, url: string): Promise<Body> {
  const { status, body } = await askRoute(rig, "get", { url, parts: { settings: rig.context.settings } });
  if (status !== 200) throw new Error(`${url}: ${status}`);
  return JSON.parse(JSON.stringify(body));
}

const NOBODY = async () => ({ asked: 0, later: 0 });

/** Does what the running Flotilla does for a command of a terminal, or for a button. */
const acting = (rig: Rig) => (path: string, body: object) =>
  act(
    {
      store: rig.store,
      operations: rig.engine.operations,
      poke: () => {},
      onboard: () => Promise.reject(new Error("nobody asks")),
      sweep: NOBODY,
    },
    { path, body, signal: new AbortController().signal },
  );

let count = 0;

/** A button of the page is pressed: `agents/<key>/retry`. */
export async function press(seat: Pick<Seat, "rig">, ...path: readonly string[]) {
  return fill(seat, {}, ...path);
}

/** A button of the page beside a field that a person has filled in. */
export async function fill({ rig }: Pick<Seat, "rig">, body: object, ...path: readonly string[]) {
  count += 1;
  const url = ["", "api", ...path.map(encodeURIComponent)].join("/");
  return askRoute(rig, "post", { url, body: { ...body, id: `press-${count}` }, parts: { act: acting(rig) } });
}

/** An act of the operator at a terminal. */
export async function operates({ rig }: Pick<Seat, "rig">, path: string, body: object) {
  count += 1;
  return acting(rig)(path, { by: "operator:ops", ...body });
}

/** What a command prints that reads the database. */
export async function types(dataDir: string, ...argv: readonly string[]): Promise<string> {
  const lines: string[] = [];
  await commandLine(argv, commands, {
    cwd: dataDir,
    env: { FLOTILLA_DATA_DIR: dataDir },
    load: () => {},
    print: (line) => lines.push(line),
    complain: (line) => lines.push(line),
  });
  return lines.join("\n");
}

/** A person says it on the issue; resolves with our reaction once that is seen there. */
export async function says({ rig }: Pick<Seat, "rig">, issue: number, words: string): Promise<string> {
  const comment = said(rig, issue, words);
  await rig.engine.handle(comment);
  const id = comment.type === "commented" ? comment.commentId : 0;
  const answer = () => rig.repository.reactions.find(({ commentId }) => commentId === id);
  await rig.until(`an answer to ${words}`, async () => {
    await rig.engine.tick();
    return answer() !== undefined;
  });
  return answer()?.reaction ?? "";
}

/** The answer to `/flotilla why`. */
export async function why(seat: Pick<Seat, "rig">, issue: number): Promise<string> {
  const before = commentsOn(seat.rig, issue).length;
  await says(seat, issue, "/flotilla why");
  return commentsOn(seat.rig, issue).slice(before).join("\n");
}

/** All that the page has of one agent and of its issue. */
export interface Shown {
  readonly agent: AgentView;
  readonly listed: AgentView;
  readonly waiting: readonly WaitingItem[];
  readonly own: readonly WaitingItem[];
  readonly tasks: readonly TaskJson[];
}

export async function page(seat: Seat): Promise<Shown> {
  const key = `acme/shop:${seat.agent.name}`;
  const view = await asks<{ agent: AgentView; waiting: WaitingItem[] }>(
    seat,
    `/api/agents/${encodeURIComponent(key)}/view`,
  );
  const all = await asks<{ agents: AgentView[]; waiting: WaitingItem[]; tasks: TaskJson[] }>(
    seat,
    "/api/overview",
  );
  const listed = all.agents.find((agent) => agent.key === key);
  if (listed === undefined) throw new Error(`the overview has no ${key}`);
  return { agent: view.agent, listed, waiting: all.waiting, own: view.waiting, tasks: all.tasks };
}
