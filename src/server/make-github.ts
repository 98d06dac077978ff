import { join } from "node:path";
import { createGitHub } from "../adapters/github/api/create-github.ts";
import { keepSpent } from "../adapters/github/client/spent.ts";
import type { Config } from "../config/load-config.ts";
import type { Level } from "../domain/access/level.ts";
import type { AtCrashPoint } from "../domain/kernel/crash-points.ts";
import type { RepositoryRef } from "../domain/kernel/repository.ts";
import type { Clock } from "../domain/ports/clock.ts";
import type { AroundRequest } from "../domain/ports/github-app.ts";
import type { Log } from "../domain/ports/log.ts";
import type { Life } from "../domain/ports/node-tables.ts";
import type { Store } from "../domain/ports/store.ts";
import { shortened } from "./crash-points.ts";
import { identityFromController } from "./known-identity.ts";
import type { KnownSecrets } from "./known-secrets.ts";
import { askForTokens } from "./sealed-tokens/ask-for-token.ts";
import { newSealKeys } from "./sealed-tokens/seal.ts";

/** What only the engine knows, which is created after the GitHub client that it uses. */
interface Nodes {
  count: () => number;
  life: () => Life | null;
}

/**
 * Creates GitHub's port. Only a controller gets the App's key; any other machine asks a controller for tokens, which are
 * sealed to the returned public key.
 */
export function makeGitHub(
  config: Config,
  parts: {
    readonly apiUrl: string;
    readonly marker: string;
    readonly level: (repository: RepositoryRef) => Level;
    readonly store: Store;
    readonly known: KnownSecrets;
    readonly nodes: Nodes;
    /** Resolves when another process has written something. */
    readonly told: () => Promise<void>;
    readonly around: AroundRequest | undefined;
    readonly crashPoint: AtCrashPoint;
    readonly clock: Clock;
    readonly log: Log;
  },
) {
  const { apiUrl, marker, level, store, known, nodes, told, around, crashPoint, clock, log } = parts;
  const { appId, dataDir, roles } = config.environment;
  const keys = roles.has("controller") ? null : newSealKeys();
  const github = createGitHub({
    appId,
    privateKey: keys === null ? config.secrets.privateKey : undefined,
    ...(keys === null
      ? {}
      : {
          throughController: {
            askForToken: askForTokens({ store, keys, life: () => nodes.life(), told, clock }),
            identity: () => identityFromController({ store, appId, clock, log }),
          },
        }),
    baseUrl: apiUrl,
    markerSecret: marker,
    labels: config.labels,
    level,
    clock,
    log,
    minted: known.minted,
    spent: keepSpent(join(dataDir, "github-spent"), clock, log),
    sharers: () => nodes.count(),
    around,
    crashPoint,
    timeLimitMs: shortened(process.env["FLOTILLA_GITHUB_LIMIT_MS"]),
  });
  return { github, publicKey: keys?.publicKey ?? null };
}
