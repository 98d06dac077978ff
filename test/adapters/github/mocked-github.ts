import { generateKeyPairSync } from "node:crypto";
import type nock from "nock";
import { createGitHub } from "../../../src/adapters/github/api/create-github.ts";
import type { Level } from "../../../src/domain/access/level.ts";
import type { RepositoryRef } from "../../../src/domain/kernel/repository.ts";
import type { Clock } from "../../../src/domain/ports/clock.ts";
import type { ClosedIssues } from "../../../src/domain/ports/closed-issues.ts";
import type { GitHub } from "../../../src/domain/ports/github.ts";
import type { HookDeliveries } from "../../../src/domain/ports/github-app.ts";
import type { Log } from "../../../src/domain/ports/log.ts";

export const { privateKey: PRIVATE_KEY, publicKey: PUBLIC_KEY } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  privateKeyEncoding: { type: "pkcs1", format: "pem" },
  publicKeyEncoding: { type: "spki", format: "pem" },
});
export const ORIGIN = "https://github.test";
export const BASE = "/api/v3";
export const NOON = Date.parse("2026-01-01T12:00:00Z");
export const REPOSITORY: RepositoryRef = { id: 77, owner: "octo", name: "shop", installationId: 5 };
export const BOT = { id: 41, login: "flotilla[bot]", type: "Bot" } as const;
export const SILENT: Log = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/** A clock that stands still until it is moved; what is due fires while it moves. */
export function stoppedClock(): Clock & { move(ms: number): void } {
  let now = NOON;
  const due = new Set<{ at: number; fn: () => void }>();
  return {
    now: () => now,
    after(ms, fn) {
      const timer = { at: now + ms, fn };
      due.add(timer);
      return () => due.delete(timer);
    },
    move(ms) {
      now += ms;
      for (const timer of due) {
        if (timer.at > now) continue;
        due.delete(timer);
        timer.fn();
      }
    },
  };
}

/** The adapter as main.ts would build it, against a server that answers by mocks. */
export function mockedGitHub(
  clock: Clock,
  baseUrl = `${ORIGIN}${BASE}`,
  minted: (token: string, until: number) => void = ignore,
  level: Level = "merge",
): GitHub & ClosedIssues & HookDeliveries {
  return createGitHub({
    appId: 12,
    privateKey: PRIVATE_KEY,
    baseUrl,
    markerSecret: "secret of the markers",
    labels: [{ name: "needs-human", color: "#d93f0b", description: "A person must act" }],
    clock,
    log: SILENT,
    minted,
    level: () => level,
  });
}

/** Expects one minting of an installation token and answers it. `asked` sees the request's body. */
export function mintsToken(
  scope: nock.Scope,
  options: { token: string; at?: number; asked?: (body: unknown) => void },
): void {
  scope
    .post(`${BASE}/app/installations/5/access_tokens`, (body) => {
      options.asked?.(body);
      return true;
    })
    .reply(201, {
      token: options.token,
      expires_at: new Date((options.at ?? NOON) + 3_600_000).toISOString(),
      permissions: {},
    });
}

/** Expects that the adapter asks who it is, and answers. */
export function tellsIdentity(scope: nock.Scope): void {
  scope.get(`${BASE}/app`).reply(200, { id: 12, slug: "flotilla" });
  scope
    .get(`${BASE}/app/installations`)
    .query(true)
    .reply(200, [{ id: 5, suspended_at: null }]);
  mintsToken(scope, { token: "metadata" });
  scope.get(`${BASE}/users/flotilla%5Bbot%5D`).reply(200, BOT);
}

function ignore(): void {}
