import { z } from "zod";
import { DEFAULT_RUNTIME } from "../../adapters/runtimes/registry.ts";
import type { OpenStore } from "../../adapters/store/database.ts";
import { openReplayInputs } from "../../adapters/store/database-in.ts";
import { redactor } from "../../domain/access/redact.ts";
import { modelAccount } from "../../domain/breakers/provider-breaker.ts";
import { isRepositoryEvent } from "../../domain/events/repository-event.ts";
import { GitHubError, messageOf, OutsideError } from "../../domain/kernel/errors.ts";
import type { DeliveryRow, RepositoryRow } from "../../domain/kernel/rows.ts";
import type { ReplayInputRow } from "../../domain/ports/audit-tables.ts";
import type { Clock } from "../../domain/ports/clock.ts";
import type { GitHub } from "../../domain/ports/github.ts";
import type { Log } from "../../domain/ports/log.ts";
import { NO_OUTCOME, type Outcome } from "../../domain/replay/outcome.ts";
import { type Answers, questionOf } from "../../domain/replay/recorded-answers.ts";
import { repositoryConfigQuestion } from "../../domain/replay/recorded-file.ts";
import type { RepositoryOverride } from "../../domain/settings/repository-override.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { settingsFor } from "../../domain/settings/settings-for.ts";
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

/** What a delivery comes to when it is decided again, or why the record does not tell. */
export type Again =
  | { readonly kind: "decided"; readonly outcome: Outcome }
  | { readonly kind: "ignored"; readonly reason: string }
  /** It is heard now and was not then, so what was known then of its issue was not kept. */
  | { readonly kind: "heard"; readonly as: string }
  | { readonly kind: "untold"; readonly why: string };

/** What is the same for all deliveries of a replay. */
export interface Replaying {
  readonly settings: Settings;
  readonly identity: EngineContext["identity"];
  /** The repository, as it is known now. */
  readonly repository: RepositoryRow;
  /** Which of these deliveries had come by then; `at` in milliseconds since the epoch. */
  readonly knownBy: (at: number, guids: readonly string[]) => Promise<ReadonlySet<string>>;
}

/**
 * Reads one delivery and decides on it with today's code, on a store in memory that holds what was known then, and a
 * GitHub that answers as it did then. No other port is there: whatever asks for one fails.
 */
export async function decideAgain(
  replaying: Replaying,
  delivery: DeliveryRow,
  ground: ReplayInputRow,
): Promise<Again> {
  const { guid, event, action } = delivery;
  const name = action === null ? event : `${event}.${action}`;
  if (!isUsedEvent(name)) return { kind: "ignored", reason: `event ${name} is not used` };
  const { github, missing } = recordedGitHub(ground.answers);
  const { settings, identity, repository } = replaying;
  const ownSettings = recordedFile(settings, ground, repository, missing);
  const clock: Clock = { now: () => ground.at, after: () => () => {} };
  let store: OpenStore | undefined;
  try {
    const reading: ParsedWebhook = await EVENTS[name](
      { id: guid, payload: JSON.parse(delivery.payload) },
      {
        settings,
        ownSettings,
        github,
        identity,
        clock,
        log: SILENT,
        repositories: { get: (id) => Promise.resolve(id === repository.id ? repository : undefined) },
        deliveries: { known: (guids) => replaying.knownBy(ground.at, guids) },
      },
    );
    if (missing.length > 0) return untold(missing);
    if ("ignored" in reading) return { kind: "ignored", reason: reading.ignored };
    if (isRepositoryEvent(reading))
      return { kind: "untold", why: "it is about the repository, not about an issue" };
    if (ground.known === null) return { kind: "heard", as: reading.type };
    store = openReplayInputs(ground.known);
    await handle(contextOn(replaying, { store, github, clock, ownSettings }), reading);
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
  const account = modelAccount(settings.runtime.provider, DEFAULT_RUNTIME.account);
  return {
    store,
    github,
    clock,
    log,
    settings,
    identity,
    // No decision shows a link.
    site: "",
    worktrees: ABSENT,
    runtime: NO_RUNTIME,
    runner: ABSENT,
    directories: ABSENT,
    disk: ABSENT,
    diskRoom: { refusal: null },
    shownHolds: { requestRound: () => {} },
    provider: undefined,
    accountKey: undefined,
    account,
    ...HOST_FUNCTIONS,
    toolKind: toolKinds(DEFAULT_RUNTIME.tools),
    redact: redactor([]),
    commandEnv: {},
    ledger: new DayLedger(parts.settingsOf),
    ownSettings,
    ...parts,
    providerBreaker: new ProviderBreaker({ store, clock, log, account, changed: () => {} }),
    changed: () => {},
    secondLookMs: 0,
    crashPoint: () => {},
    registry: REGISTRY,
  };
}

/** In the place of the ports that no decision asks for. */
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
  EngineContext["runtime"] &
  EngineContext["runner"] &
  EngineContext["directories"] &
  EngineContext["disk"];

/** Says what it is called, and opens nothing. */
const NO_RUNTIME: EngineContext["runtime"] = {
  name: DEFAULT_RUNTIME.name,
  tools: DEFAULT_RUNTIME.tools,
  get modes() {
    return ABSENT.modes;
  },
  open: (spec) => ABSENT.open(spec),
  destroy: (session) => ABSENT.destroy(session),
  reap: (sessions) => ABSENT.reap(sessions),
};

/** GitHub as it answered then, and the questions that were not asked then. It has no way to the network. */
interface RecordedGitHub {
  readonly github: GitHub;
  /** Questions to which the record has no answer, in the order in which they were asked. */
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

/** As much of it as decisions look at: where GitHub has no such API they go another way. */
function refusal(code: string, message: string): GitHubError {
  const known = code === "unsupported" ? "unsupported" : "unavailable";
  return new GitHubError(known, message, 0, { consequence: "retry" });
}

/** Written by this program of what its own schema let through, and bounded again by `settingsFor`. */
const recorded = z
  .custom<RepositoryOverride>((value) => typeof value === "object" && value !== null)
  .nullable();

/**
 * What held in the repository when the delivery was decided: its own file as it was then, within these settings.
 * Where the record does not tell, that goes to `missing` when it is asked for.
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
    // What was told of a faulty file is no outcome of the delivery.
    faultyIn: () => undefined,
    load: nothing,
    refresh: nothing,
    round: nothing,
  };
}

const nothing = () => Promise.resolve();
