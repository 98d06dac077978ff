import { z } from "zod";
import { GitHubError } from "../../domain/kernel/errors.ts";
import type { Clock } from "../../domain/ports/clock.ts";
import type { Life } from "../../domain/ports/node-tables.ts";
import type { Store } from "../../domain/ports/store.ts";
import type { TokenRequestRow } from "../../domain/ports/token-tables.ts";
import { type SealKeys, unseal } from "./seal.ts";

/** How often it looks for the answer, and how long it waits for one. */
const LOOK_MS = 200;
const PATIENCE_MS = 15_000;

/** What a sealed token answers; a token does not open as the answer to another request. */
export type Asked = Pick<TokenRequestRow, "id" | "node" | "epoch" | "purpose" | "repositoryId">;
export const aboutRequest = ({ id, node, epoch, purpose, repositoryId }: Asked): string =>
  JSON.stringify([id, node, epoch, purpose, repositoryId]);

const sealedToken = z.object({ token: z.string().min(1), expiresAt: z.int() });
export type SealedToken = z.infer<typeof sealedToken>;

/** Returns the function by which a node without the App's key gets tokens: a controller makes and seals them. */
export function askForTokens(given: {
  readonly store: Pick<Store, "tokenRequests">;
  readonly keys: SealKeys;
  readonly life: () => Life | null;
  /** Resolves when another process has written something, which may be the answer. */
  readonly told: () => Promise<void>;
  readonly clock: Clock;
}): (wanted: Pick<TokenRequestRow, "purpose" | "repositoryId">) => Promise<SealedToken> {
  const { store, keys, clock } = given;
  return async ({ purpose, repositoryId }) => {
    const life = given.life();
    if (life === null) throw unanswered("this machine has not begun yet");
    const asked = { node: life.name, epoch: life.epoch, purpose, repositoryId };
    const id = await store.tokenRequests.add({ ...asked, askedAt: clock.now() });
    try {
      for (const until = clock.now() + PATIENCE_MS; clock.now() < until; ) {
        const told = given.told();
        const row = await store.tokenRequests.get(id);
        if (row?.refusal != null) throw refused(row.refusal);
        if (row?.sealed != null)
          return sealedToken.parse(JSON.parse(unseal(keys, row.sealed, aboutRequest({ id, ...asked }))));
        await Promise.race([told, after(clock, LOOK_MS)]);
      }
    } finally {
      await store.tokenRequests.drop(id);
    }
    throw unanswered(`no controller has answered for ${PATIENCE_MS / 1000} s`);
  };
}

function after(clock: Clock, ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  clock.after(ms, resolve);
  return promise;
}

function unanswered(why: string): GitHubError {
  return new GitHubError("unavailable", `This machine has no token of GitHub: ${why}`, 0, {
    consequence: "retry",
    uncertain: false,
    advice: "Start a machine with the role `controller`.",
  });
}

function refused(why: string): GitHubError {
  return new GitHubError("forbidden", `This machine gets no token of GitHub: ${why}`, 403, {
    consequence: "tell",
    uncertain: false,
  });
}
