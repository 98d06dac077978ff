import { z } from "zod";
import { DEFAULT_RUNTIME } from "../../adapters/runtimes/registry.ts";
import type { OpenStore } from "../../adapters/store/database.ts";
import { openReplayInputs } from "../../adapters/store/registry.ts";
import { redactor } from "../../domain/access/redact.ts";
import { isRepositoryEvent } from "../../domain/events/repository-event.ts";
import { GitHubError, messageOf, OutsideError } from "../../domain/kernel/errors.ts";
import type { DeliveryRow, RepositoryRow } from "../../domain/kernel/rows.ts";
import type { AgentRuntime } from "../../domain/ports/agent-runtime.ts";
import type { ReplayInputRow } from "../../domain/ports/audit-tables.ts";
import type { Clock } from "../../domain/ports/clock.ts";
import type { GitHub } from "../../domain/ports/github.ts";
import type { Log } from "../../domain/ports/log.ts";
import { ALL_ROLES } from "../../domain/recovery/node-roles.ts";
import { NO_OUTCOME, type Outcome } from "../../domain/replay/outcome.ts";
import { type Answers, questionOf } from "../../domain/replay/recorded-answers.ts";
import { repositoryConfigQuestion } from "../../domain/replay/recorded-file.ts";
import type { RepositoryOverride } from "../../domain/settings/repository-override.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { settingsFor } from "../../domain/settings/settings-for.ts";
import { newRoom } from "../../engine/agents/room.ts";
import { askedModels } from "../../engine/breakers/asked-models.ts";
import { DayLedger } from "../../engine/breakers/day-ledger.ts";
import { ProviderBreaker } from "../../engine/breakers/provider-breaker.ts";
import { handle } from "../../engine/handle.ts";
import type { EngineContext } from "../../engine/kernel/engine-context.ts";
import { REGISTRY } from "../../engine/registry.ts";
import { settingsParts } from "../../engine/settings/parts.ts";
import { toolKinds } from "../../engine/tools/catalog.ts";
import { HOST_FUNCTIONS } from "../../server/host-functions.ts";
import type { ParsedWebhook } from "../../webhooks/events/parsing.ts";
import { EVENTS, isUsedEvent } from "../../webhooks/events/table.ts";

/** The result of deciding on a delivery again, or why the record is incomplete. */
export type Again =
  | { readonly kind: "decided"; readonly outcome: Outcome }
  | { readonly kind: "ignored"; readonly reason: string }
  /** Handled now but ignored then, so the rows that it depends on were not recorded. */
  | { readonly kind: "newly_handled"; readonly as: string }
  | { readonly kind: "untold"; readonly why: string };

/** The inputs that all deliveries of a replay share. */
export interface Replaying {
  readonly settings: Settings;
  readonly identity: EngineContext["identity"];
  /** The repository as it is on record now. */
  readonly repository: RepositoryRow;
  /** Returns which of these deliveries had arrived at `at`, in milliseconds since the epoch. */
  readonly knownBy: (at: number, guids: readonly string[]) => Promise<ReadonlySet<string>>;
}

/**
 * Reads one delivery and decides on it with today's code, on a store in memory with the rows of that time and
 * a GitHub with its answers of that time. Uses no other port: one that is called throws.
 */
export async function decideAgain(
  replaying: Replaying,
  delivery: DeliveryRow,
  input: ReplayInputRow,
): Promise<Again> {
  const { guid, event, action } = delivery;
  const name = action === null ? event : `${event}.${action}`;
  if (!isUsedEvent(name)) return { kind: "ignored", reason: `event ${name} is not used` };
  const { github, missing } = recordedGitHub(input.answers);
  const { settings, identity, repository } = replaying;
  const ownSettings = recordedFile(settings, input, repository, missing);
  const clock: Clock = { now: () => input.at, after: () => () => {} };
  let store: OpenStore | undefined;
  try {
    const parsed: ParsedWebhook = await EVENTS[name](
      { id: guid, payload: JSON.parse(delivery.payload) },
      {
        settings,
        ownSettings,
        github,
        identity,
        clock,
        log: SILENT,
        repositories: { get: (id) => Promise.resolve(id === repository.id ? repository : undefined) },
        deliveries: { known: (guids) => replaying.knownBy(input.at, guids) },
      },
    );
    if (missing.length > 0) return untold(missing);
    if ("ignored" in parsed) return { kind: "ignored", reason: parsed.ignored };
    if (isRepositoryEvent(parsed))
      return { kind: "untold", why: "it is about the repository, not about an issue" };
    if (input.known === null) return { kind: "newly_handled", as: parsed.type };
    store = openReplayInputs(input.known);
    await handle(contextOn(replaying, { store, github, clock, ownSettings }), parsed);
    if (missing.length > 0) return untold(missing);
    return { kind: "decided", outcome: (await store.replayInputs.outcome(guid)) ?? NO_OUTCOME };
  } catch (error) {
    if (missing.length > 0) return untold(missing);
    return { kind: "untold", why: `it cannot be decided again: ${messageOf(error)}` };
  } finally {
    await store?.close();
  }
}

function untold(missing: readonly string[]): Again {
  return { kind: "untold", why: `GitHub was not asked then: ${[...new Set(missing)].join("; ")}` };
}

const SILENT: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

function contextOn(
  { settings, identity }: Replaying,
  { store, github, clock, ownSettings }: Pick<EngineContext, "store" | "github" | "clock" | "ownSettings">,
): EngineContext {
  const log = SILENT;
  const parts = settingsParts(ownSettings);
  const ownAccount = DEFAULT_RUNTIME.account;
  return {
    store,
    github,
    githubRoom: { noRoomUntil: () => null },
    clock,
    log,
    settings,
    identity,
    // Decisions contain no links to the dashboard.
    site: "",
    publicUrl: null,
    worktrees: ABSENT,
    runtimes: NO_RUNTIMES,
    runner: ABSENT,
    mcpServers: NO_SERVERS,
    notices: ABSENT,
    directories: ABSENT,
    disk: ABSENT,
    operatorFiles: ABSENT,
    diskRoom: { refusal: null },
    room: newRoom(),
    runningCommands: new Map(),
    shownHolds: { requestRound: () => {} },
    version: "",
    reads: 0,
    alone: true,
    roles: ALL_ROLES,
    publicKey: null,
    nodes: {
      isElsewhere: () => false,
      mayJudge: true,
      mayGoOn: true,
      isDraining: false,
      leavesToOthers: false,
      isBesideNewer: false,
      otherRunners: () => [],
    },
    provider: undefined,
    providers: new Map(),
    accountKey: undefined,
    ownAccount,
    ...HOST_FUNCTIONS,
    toolKind: toolKinds(NO_RUNTIMES),
    redact: redactor([]),
    commandEnv: {},
    ledger: new DayLedger(parts.settingsOf),
    ownSettings,
    ...parts,
    providerBreaker: new ProviderBreaker({
      store,
      clock,
      log,
      asks: (agent) => askedModels({ ownAccount, settings }, parts.useOf(agent)),
      changed: () => {},
    }),
    changed: () => {},
    secondLookupMs: 0,
    crashPoint: () => {},
    registry: REGISTRY,
  };
}

/** Replaces the ports that no decision uses. */
const absent: object = new Proxy(
  {},
  {
    get(_, name) {
      throw new OutsideError("no_port", `${String(name)} is not available in a replay`, {
        consequence: "stop",
      });
    },
  },
);
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- no member of it is ever given out
const ABSENT = absent as EngineContext["worktrees"] &
  AgentRuntime &
  EngineContext["runner"] &
  EngineContext["directories"] &
  EngineContext["disk"] &
  EngineContext["notices"] &
  EngineContext["operatorFiles"];

const NO_SERVERS: EngineContext["mcpServers"] = {
  open() {
    throw new OutsideError("no_port", "no MCP server is available in a replay", { consequence: "stop" });
  },
};

/** A runtime that has a name and cannot open sessions. */
const NO_RUNTIME: AgentRuntime = {
  name: DEFAULT_RUNTIME.name,
  tools: DEFAULT_RUNTIME.tools,
  get modes() {
    return ABSENT.modes;
  },
  open: (spec) => ABSENT.open(spec),
  destroy: (session) => ABSENT.destroy(session),
  reap: (sessions) => ABSENT.reap(sessions),
};

const NO_RUNTIMES: EngineContext["runtimes"] = new Map([[NO_RUNTIME.name, NO_RUNTIME]]);

/** Answers as GitHub did then, and collects questions that are not on record. Does not use the network. */
interface RecordedGitHub {
  readonly github: GitHub;
  /** Questions without a recorded answer, in the order of asking. */
  readonly missing: string[];
}

export function recordedGitHub(answers: Answers): RecordedGitHub {
  const missing: string[] = [];
  const ask = (method: string, given: readonly unknown[]): Promise<unknown> => {
    const question = questionOf(method, given);
    const answer = answers[question];
    if (answer === undefined) {
      missing.push(question);
      return Promise.reject(refusal("unavailable", `what GitHub answers to ${question} is not on record`));
    }
    if ("refused" in answer) return Promise.reject(refusal(answer.refused.code, answer.refused.message));
    return Promise.resolve(answer.answer);
  };
  const port: object = new Proxy(
    {},
    {
      get:
        (_, name) =>
        (...given: readonly unknown[]) =>
          ask(String(name), given),
    },
  );
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each member answers as the port did when it was recorded
  return { github: port as GitHub, missing };
}

/** Keeps of an error what decisions depend on: they take another path if GitHub lacks an API. */
function refusal(code: string, message: string): GitHubError {
  const known = code === "unsupported" ? "unsupported" : "unavailable";
  return new GitHubError(known, message, 0, { consequence: "retry" });
}

/** This program wrote the value from what its own schema accepted; `settingsFor` bounds it again. */
const recorded = z
  .custom<RepositoryOverride>((value) => typeof value === "object" && value !== null)
  .nullable();

/**
 * Returns the repository's settings when the delivery was decided: its own file of that time within these
 * settings. If the file is not on record, reading the settings adds to `missing`.
 */
function recordedFile(
  settings: Settings,
  { answers }: { readonly answers: Answers },
  repository: RepositoryRow,
  missing: Pick<string[], "push">,
): EngineContext["ownSettings"] {
  const question = repositoryConfigQuestion(repository);
  const kept = answers[question];
  const override = kept !== undefined && "answer" in kept ? recorded.parse(kept.answer) : null;
  const own = override === null ? settings : settingsFor(settings, override);
  return {
    of: () => own,
    all: () => [settings, own],
    fresh: () => {
      if (kept === undefined) missing.push(question);
      return Promise.resolve(own);
    },
    // Reports about a faulty file are no outcome of the delivery.
    faultyIn: () => undefined,
    load: nothing,
    refresh: nothing,
    round: nothing,
  };
}

const nothing = () => Promise.resolve();
