import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { readProcesses } from "../../../src/adapters/sandbox/process-table.ts";
import type { ModelRequest } from "../../../src/demo/model/model-request.ts";
import { type Stage, setStage } from "../../../src/demo/stage.ts";
import { PROCESS_MARK } from "../../../src/domain/breakers/process-mark.ts";
import { BUBBLEWRAP_IS_HERE } from "../../adapters/sandbox/bubblewrap-here.ts";
import { COMPILE_CACHE } from "../../compile-cache.ts";
import { aScenario } from "../../journeys/a-scenario.ts";
import { appPushes } from "../../journeys/pushed-refs.ts";
import { runFlotilla } from "../../journeys/run-flotilla.ts";
import { until } from "../../journeys/until.ts";
import type { Setting } from "./story.ts";

/** How long a story waits for what should happen. Most of it takes seconds, but minutes where others use the machine. */
export const PATIENCE_S = 300;

const agentSchema = z.looseObject({
  key: z.string(),
  repository: z.string(),
  role: z.string(),
  issue: z.int(),
  attempt: z.int(),
  state: z.string(),
  phase: z.string().nullable(),
  now: z.string(),
  next: z.string().nullable(),
  branch: z.string().nullable(),
  pr: z.int().nullable(),
  sleep_reason: z.string().nullable(),
  reason: z.string().nullable(),
  session: z.string().nullable(),
  turns: z.int(),
  tool_calls: z.int(),
  tokens: z.int(),
});
/** An agent as the API describes it. */
export type SeenAgent = z.infer<typeof agentSchema>;

const decisionSchema = z.looseObject({ rule: z.string(), what: z.string(), reason: z.string().nullable() });
type SeenDecision = z.infer<typeof decisionSchema>;

/** A request of Flotilla to GitHub, with what it carried. */
interface SeenWrite {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

/** The real process between the local GitHub, the scripted model and people, looked at from outside. */
export interface Scene extends Stage {
  readonly octocat: ReturnType<Stage["github"]["as"]>;
  /** All requests that GitHub got, of Flotilla and of people, in order, without reads. */
  readonly writes: readonly SeenWrite[];
  /** Looks until it finds something; null if that did not happen in time (default: the patience of the run). */
  sees<T>(
    look: () => T | undefined | false | Promise<T | undefined | false>,
    seconds?: number,
  ): Promise<T | null>;
  /** The agents of an issue of the first repository, oldest first. */
  agents(issue: number, role?: string): Promise<readonly SeenAgent[]>;
  /** Waits until the newest agent of the issue is in one of the states; returns it, or null. */
  reaches(issue: number, states: readonly string[], role?: string): Promise<SeenAgent | null>;
  /** What the App has written in comments on an issue or pull request. */
  said(number: number): readonly string[];
  /** Waits for a comment of the App. */
  hears(number: number, text: RegExp, seconds?: number): Promise<string | null>;
  /** The requests to the model whose conversation is about the issue, in order. */
  asked(issue: number): readonly ModelRequest[];
  /** Waits until GitHub has sent all webhooks, and no webhook and no write is open in Flotilla. */
  quiet(): Promise<void>;
  /** What the App pushed to branches, according to GitHub; `how` is empty if a branch moved forward or was new. */
  pushes(): readonly { readonly ref: string; readonly how: string }[];
  /** A file on a branch of the server; null if it is not there. */
  file(branch: string, path: string): Promise<string | null>;
  /** The messages of a branch's commits, newest first. */
  commits(branch: string): Promise<readonly { readonly sha: string; readonly message: string }[]>;
  decisions(issue: number): Promise<readonly SeenDecision[]>;
  /** Reads a path of the API. */
  read(path: string): Promise<unknown>;
  /** Runs a command of Flotilla beside the process. */
  command(
    ...args: readonly string[]
  ): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>;
  /** The processes that run for a session of an agent, or for any. */
  processes(session?: string): Promise<readonly number[]>;
}

/** The local GitHub's lists do not lag, so there is no need to wait half a minute after each kill. */
const SECOND_LOOK = { FLOTILLA_SECOND_LOOK_MS: "300" };

/** Sets the scene, opens an issue per title, runs `work` on it, and ends all that it has started. */
export async function onScene<T>(
  setting: Setting,
  patienceSeconds: number,
  work: (scene: Scene) => Promise<T>,
): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), "flotilla-complaint-"));
  const writes: SeenWrite[] = [];
  try {
    const stage = await setStage({
      scenario: aScenario(setting),
      directory,
      confined: BUBBLEWRAP_IS_HERE,
      env: { ...COMPILE_CACHE, ...SECOND_LOOK, ...setting.env },
      ...(setting.configure === undefined ? {} : { configure: setting.configure }),
      ...(setting.beside === undefined ? {} : { beside: setting.beside }),
      observe: {
        request: ({ method, path, body }) => {
          if (method !== "GET") writes.push({ method, path, body });
        },
      },
    });
    try {
      return await work(sceneOn(stage, { home: join(directory, "flotilla"), writes, patienceSeconds }));
    } finally {
      await stage.close();
    }
  } finally {
    await setting.close?.();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Looks until it finds something; null if that takes longer. */
async function seen<T>(
  look: () => T | undefined | false | Promise<T | undefined | false>,
  seconds: number,
): Promise<T | null> {
  try {
    return await until("", look, seconds);
  } catch (error) {
    if (error instanceof Error && /not within \d+ s$/.test(error.message)) return null;
    throw error;
  }
}

function sceneOn(
  stage: Stage,
  given: { readonly home: string; readonly writes: readonly SeenWrite[]; readonly patienceSeconds: number },
): Scene {
  const { home, writes, patienceSeconds } = given;
  const { github, model } = stage;
  const octocat = github.as("octocat");
  const read: Scene["read"] = async (path) => {
    const { origin, hash } = new URL(stage.dashboard());
    const authorization = `Bearer ${hash.slice("#token=".length)}`;
    const answer = await until("the API answers", () =>
      // A busy process may close a connection that it has kept.
      fetch(`${origin}${path}`, { headers: { authorization } }).catch(() => undefined),
    );
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return answer.json();
  };
  // What a story expects soon may take as much longer as the run is patient.
  const sees: Scene["sees"] = (look, seconds = PATIENCE_S) =>
    seen(look, (seconds * patienceSeconds) / PATIENCE_S);
  const agents: Scene["agents"] = async (issue, role) => {
    const { agents: all } = z
      .object({ agents: z.array(agentSchema) })
      .parse(await read("/api/agents?limit=500"));
    return all
      .filter(
        (one) => one.issue === issue && one.repository === "acme/app" && (role ?? one.role) === one.role,
      )
      .toSorted((one, other) => one.attempt - other.attempt);
  };
  const said: Scene["said"] = (number) =>
    github
      .state()
      .comments(number)
      .filter(({ viaApp }) => viaApp)
      .map(({ body }) => body);
  return {
    ...stage,
    octocat,
    writes,
    sees,
    agents,
    reaches: (issue, states, role) =>
      sees(async () => {
        const last = (await agents(issue, role)).at(-1);
        return last !== undefined && states.includes(last.state) && last;
      }),
    said,
    hears: (number, text, seconds) => sees(() => said(number).find((body) => text.test(body)), seconds),
    asked: (issue) =>
      model.requests.filter(({ messages }) =>
        messages.some(({ content }) => content.includes(`Work on issue #${issue} of`)),
      ),
    quiet: async () => {
      const open = z.object({
        items: z.array(z.looseObject({ not_before: z.string().nullish(), kind: z.string().nullish() })),
      });
      const count = async (path: string, name: string) => {
        const answer = z.record(z.string(), z.unknown()).parse(await read(path));
        const { items } = open.parse({ items: answer[name] });
        // A display that is put off waits for what comes next, up to ten minutes. Looks come again and again.
        return items.filter(
          ({ not_before: later, kind }) => later == null && !/^(?:re)?(?:look|check)/.test(kind ?? ""),
        ).length;
      };
      await until(
        "nothing is open",
        async () => {
          await github.webhooks.idle();
          const counts = await Promise.all([
            count("/api/deliveries?state=pending", "deliveries"),
            count("/api/deliveries?state=claimed", "deliveries"),
            count("/api/effects?state=pending", "effects"),
            count("/api/effects?state=leased", "effects"),
          ]);
          // A delivery that has just been accepted is in the inbox file before it is in the database.
          const inbox =
            statSync(join(stage.dataDir, "flotilla.db-inbox"), { throwIfNoEntry: false })?.size ?? 0;
          return inbox === 0 && counts.every((number) => number === 0);
        },
        patienceSeconds,
      );
    },
    pushes: () => appPushes(stage),
    file: (branch, path) =>
      octocat.call("GET", `/contents/${path}?ref=${encodeURIComponent(branch)}`).then(
        ({ content }) => Buffer.from(String(content), "base64").toString("utf8"),
        () => null,
      ),
    commits: async (branch) => {
      const list = await octocat.call("GET", `/commits?sha=${encodeURIComponent(branch)}&per_page=50`);
      const one = z.looseObject({ sha: z.string(), commit: z.looseObject({ message: z.string() }) });
      return z
        .array(one)
        .parse(Object.values(list)[0])
        .map(({ sha, commit }) => ({ sha, message: commit.message }));
    },
    decisions: async (issue) =>
      z
        .object({ decisions: z.array(decisionSchema) })
        .parse(await read(`/api/decisions?limit=200&issue=${encodeURIComponent(`acme/app#${issue}`)}`))
        .decisions,
    read,
    command: (...args) =>
      runFlotilla(args, {
        cwd: home,
        env: { FLOTILLA_DATA_DIR: stage.dataDir, HOME: home, MODEL_API_KEY: "key" },
      }),
    processes: async (session = "") => {
      const mark = new RegExp(`^${PROCESS_MARK}=${session === "" ? "[^@]*" : session}@${stage.dataDir}/`);
      const all = await readProcesses();
      return all
        .filter(({ environment }) => environment.some((line) => mark.test(line)))
        .map(({ pid }) => pid);
    },
  };
}
