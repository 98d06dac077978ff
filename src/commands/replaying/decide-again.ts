import { messageOf, OutsideError } from "../../core/errors.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { GroundRow } from "../../core/ports/grounds.ts";
import type { Log } from "../../core/ports/log.ts";
import { NO_OUTCOME, type Outcome } from "../../core/replay/outcome.ts";
import { isRepositoryNews } from "../../core/repository-news.ts";
import type { DeliveryRow, RepositoryRow } from "../../core/rows.ts";
import type { Settings } from "../../core/settings.ts";
import { redactor } from "../../core/text/redact.ts";
import type { EngineContext } from "../../engine/context.ts";
import { DayLedger } from "../../engine/day-ledger.ts";
import { handle } from "../../engine/handle.ts";
import { Parking } from "../../engine/parking.ts";
import { settingsParts } from "../../engine/repository-settings/parts.ts";
import type { Reading } from "../../intake/events/reading.ts";
import { EVENTS, isUsedEvent } from "../../intake/events/table.ts";
import type { OpenStore } from "../../store/open.ts";
import { openGround } from "../../store/open-ground.ts";
import { PLAIN_WAYS } from "../plain-ways.ts";
import { recordedFile } from "./recorded-file.ts";
import { recordedGitHub } from "./recorded-github.ts";

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
  ground: GroundRow,
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
    const reading: Reading = await EVENTS[name](
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
    if (isRepositoryNews(reading))
      return { kind: "untold", why: "it is about the repository, not about an issue" };
    if (ground.known === null) return { kind: "heard", as: reading.type };
    store = openGround(ground.known);
    await handle(contextOn(replaying, { store, github, clock, ownSettings }), reading);
    if (missing.length > 0) return untold(missing);
    return { kind: "decided", outcome: (await store.grounds.outcome(guid)) ?? NO_OUTCOME };
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
    runtime: ABSENT,
    runner: ABSENT,
    directories: ABSENT,
    disk: ABSENT,
    diskRoom: { refusal: null },
    shownHolds: { look: () => {} },
    provider: undefined,
    gitHubToken: undefined,
    ...PLAIN_WAYS,
    redact: redactor([]),
    commandEnv: {},
    ledger: new DayLedger(parts.settingsOf),
    ownSettings,
    ...parts,
    parking: new Parking({ store, clock, log, settings, changed: () => {} }),
    changed: () => {},
    secondLookMs: 0,
    crashPoint: () => {},
  };
}

/** In the place of the ports that no decision asks for. */
const absent: object = new Proxy(
  {},
  {
    get(_, name) {
      throw new OutsideError("no_port", `a replay can ask nobody for ${String(name)}`, {
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
