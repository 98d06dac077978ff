import { randomBytes } from "node:crypto";
import type { Account } from "../world/records.ts";

export type Grant =
  | { readonly kind: "person"; readonly account: Account }
  | {
      /** A token of a person for the App that they signed in to. */
      readonly kind: "user";
      readonly account: Account;
      /** Milliseconds since the epoch. */
      readonly expiresAt: number;
    }
  | {
      readonly kind: "installation";
      readonly repositories: ReadonlySet<number>;
      readonly permissions: Readonly<Record<string, "read" | "write">>;
      /** Milliseconds since the epoch. */
      readonly expiresAt: number;
    };

const PREFIX = { person: "ghp", user: "ghu", installation: "ghs" } as const;

/** All tokens that were issued, in memory. An unknown, revoked or expired one finds nothing. */
export interface Tokens {
  readonly add: (grant: Grant) => string;
  readonly find: (token: string, nowMs: number) => Grant | undefined;
  readonly revoke: (token: string) => void;
  /** Revokes every installation token, as a suspension would. */
  readonly revokeInstallation: () => void;
}

export function createTokens(): Tokens {
  const grants = new Map<string, Grant>();
  return {
    add: (grant) => {
      const token = `${PREFIX[grant.kind]}_${randomBytes(27).toString("hex").slice(0, 36)}`;
      grants.set(token, grant);
      return token;
    },
    find: (token, nowMs) => {
      const grant = grants.get(token);
      return grant !== undefined && "expiresAt" in grant && grant.expiresAt <= nowMs ? undefined : grant;
    },
    revoke: (token) => void grants.delete(token),
    revokeInstallation: () => {
      for (const [token, grant] of grants) if (grant.kind === "installation") grants.delete(token);
    },
  };
}
