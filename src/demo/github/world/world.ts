import type { Account, App, Attachment, Installation, Repository } from "./records.ts";

/** The author of a request: a person, the App through an installation token, or the App itself (JWT). */
export type Actor =
  | { readonly kind: "person"; readonly account: Account }
  | { readonly kind: "app"; readonly account: Account }
  | {
      readonly kind: "installation";
      readonly account: Account;
      readonly repositories: ReadonlySet<number>;
      readonly permissions: Readonly<Record<string, "read" | "write">>;
    };

/** A webhook to be sent: `fields` are what the event adds to repository, organization, sender and installation. */
export interface Happening {
  readonly event: string;
  readonly action: string | null;
  readonly repository: Repository | null;
  readonly sender: Account;
  readonly fields: Record<string, unknown>;
}

/** The state that acts, routes and renderings share. */
export interface World {
  /** Scheme, host and port, without a trailing slash. */
  readonly origin: string;
  /** Base of the REST API. */
  readonly api: string;
  readonly app: App;
  readonly installation: Installation;
  readonly organization: Account;
  /** By login in lower case. */
  readonly accounts: Map<string, Account>;
  /** By full name in lower case. */
  readonly repositories: Map<string, Repository>;
  /** By asset. */
  readonly attachments: Map<string, Attachment>;
  /** Former full names in lower case; requests for them are redirected. */
  readonly renamed: Map<string, Repository>;
  /** Returns a new database id; ids are unique across all kinds. */
  readonly nextId: () => number;
  readonly nowMs: () => number;
  readonly emit: (happening: Happening) => void;
}

/** Returns the current time as GitHub writes it: ISO 8601, whole seconds, UTC. */
export function now(world: World): string {
  return isoSeconds(world.nowMs());
}

export function isoSeconds(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** Returns a node id in GitHub's format; it only has to be unique. */
export function nodeId(kind: string, id: number | string): string {
  return Buffer.from(`0${kind.length}:${kind}${id}`).toString("base64");
}

export function fullNameOf(repository: Repository): string {
  return `${repository.owner.login}/${repository.name}`;
}
