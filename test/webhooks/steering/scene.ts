import type { DomainEvent } from "../../../src/domain/events/domain-event.ts";
import type { RepositoryEvent } from "../../../src/domain/events/repository-event.ts";
import type { ChangeSet, IssueState } from "../../../src/domain/kernel/change-set.ts";
import type { Ignored } from "../../../src/webhooks/events/parsing.ts";
import type { EventName } from "../../../src/webhooks/events/table.ts";
import { BOT } from "../../adapters/github/mocked-github.ts";
import { aView } from "../../factories/a-view.ts";
import { anAgent } from "../../factories/records.ts";
import { recordedWebhooks } from "../recorded-webhooks.ts";
import type { Actor } from "./actors.ts";

type Fields = Readonly<Record<string, unknown>>;

type AnyEvent = DomainEvent | RepositoryEvent;

/** Some fields of the event that a reader makes of a payload, or why it makes none. */
type Reading =
  | Ignored
  | {
      readonly [T in AnyEvent["type"]]: { readonly type: T } & {
        readonly [F in keyof Extract<AnyEvent, { type: T }>]?: unknown;
      };
    }[AnyEvent["type"]];

/**
 * What a webhook may bring about, where somebody does it for whom it is meant:
 * `steers`: something, if GitHub says of its sender that they may; `fact`: something, whoever did it, since it is so on
 * GitHub now, and GitHub let them; `nothing`: it is noted, whoever did it.
 */
export interface Scene {
  readonly event: EventName;
  readonly what: string;
  readonly rule: "steers" | "fact" | "nothing";
  /** Whether our own App brings something about, where that is not as for anybody without permission. */
  readonly own?: boolean;
  /** What the payload has beside repository, sender and installation. */
  readonly payload: (actor: Actor) => Fields;
  /** What the reader makes of it where a person with write permission does it. */
  readonly reads: Reading;
  /** Some of what follows from that, where no test of the domain says it. */
  readonly follows?: { readonly [F in keyof ChangeSet]?: readonly object[] };
  readonly view?: Partial<IssueState>;
}

const PAYLOADS = new Map(
  recordedWebhooks()
    .toReversed()
    .map(({ event, action, body }) => [action === null ? event : `${event}.${action}`, body]),
);

/** The first payload that GitHub's examples record of that webhook. */
export function recorded(event: string): Fields {
  const body = PAYLOADS.get(event);
  if (body === undefined) throw new Error(`no payload of ${event} is recorded`);
  return record(JSON.parse(body));
}

export function record(value: unknown): Fields {
  if (typeof value !== "object" || value === null) throw new Error("a recorded payload has no such object");
  return { ...value };
}

/** Everybody calls themselves an owner: GitHub's word for display, and never asked. */
const BOAST = { author_association: "OWNER" };

/** The issue of a recorded payload, as number 42. */
export function issueIn(event: string, more: Fields = {}): { issue: Fields } {
  return {
    issue: {
      ...record(recorded(event)["issue"]),
      ...BOAST,
      number: 42,
      state: "open",
      assignees: [],
      ...more,
    },
  };
}

export const BRANCH = "flotilla/feat-dev/issue-42";
export const HEAD = "c".repeat(40);

/** The pull request of a recorded payload, as ours for issue 42. */
export function pullIn(event: string, head: Fields = {}): { pull_request: Fields } {
  const pull = record(recorded(event)["pull_request"]);
  return {
    pull_request: {
      ...pull,
      ...BOAST,
      number: 50,
      user: BOT,
      head: { ref: BRANCH, repo: { id: 77 }, ...head },
    },
  };
}

export function commentIn(event: string, more: Fields): { comment: Fields } {
  return { comment: { ...record(recorded(event)["comment"]), ...BOAST, ...more } };
}

/** Issue 42 of the repository whose webhooks are read. */
export function viewOf(view: Partial<IssueState> = {}): IssueState {
  return aView({ repositoryId: 77, ...view });
}

export const atWork = { agents: [anAgent({ repositoryId: 77 })] };
