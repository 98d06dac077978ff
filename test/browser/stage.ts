import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { OpenStore } from "../../src/adapters/store/database.ts";
import { createApi } from "../../src/dashboard/api/api.ts";
import { EventStreams } from "../../src/dashboard/api/event-streams.ts";
import type { DashboardParts } from "../../src/dashboard/api/parts.ts";
import { GitHubSignIns } from "../../src/dashboard/auth/github-sign-in.ts";
import { SignInCookies } from "../../src/dashboard/auth/sign-in-cookies.ts";
import { createPageRoute } from "../../src/dashboard/page-route.ts";
import type { PersonalSignIn } from "../../src/domain/ports/github-app.ts";
import { createHttpServer } from "../../src/http/http-server.ts";
import { TokenGate } from "../../src/http/token-gate.ts";
import { systemClock } from "../../src/server/system-clock.ts";
import { pageParts } from "../dashboard/page-parts.ts";
import { memoryStore } from "../factories/memory-store.ts";
import { LIMITS, someSettings } from "../factories/some-settings.ts";

export const TOKEN = "a token of the browser tests";
const now = () => systemClock.now();
/** With prices, so that what an agent cost stands beside what it may. */
const settings = someSettings({
  limits: { turnCeiling: 200, defaults: { ...LIMITS, maxCostUsd: 20 }, roles: new Map() },
});
const quiet = { debug() {}, info() {}, warn() {}, error() {} };

/** A dashboard over a database in memory, on the loopback. */
export interface Stage {
  readonly store: OpenStore;
  readonly url: string;
  /** Breaks all lines and listens no more, until `up`. */
  down(): Promise<void>;
  up(): Promise<void>;
  close(): Promise<void>;
}

/** `signIn` lets people sign in by GitHub; `over` = a database that another one keeps and closes. */
export async function openStage(
  parts: Partial<DashboardParts> = {},
  signIn: PersonalSignIn | null = null,
  over?: OpenStore,
): Promise<Stage> {
  const store = over ?? memoryStore();
  const events = new EventStreams({ store, clock: systemClock, log: quiet });
  const api = createApi({
    isUrgent: () => false,
    store,
    events,
    gate: new TokenGate(TOKEN, { now, log: quiet }),
    notReady: () => Promise.resolve(null),
    limitWaits: () => [],
    page: pageParts({ settings, ...parts }),
    clock: systemClock,
    log: quiet,
  });
  const page = createPageRoute(
    signIn === null
      ? null
      : {
          signIns: new GitHubSignIns({ signIn, key: TOKEN, now, log: quiet }),
          cookies: new SignInCookies(TOKEN, now, store.signOuts),
        },
  );
  const server = createHttpServer([api, page], { log: quiet });
  const listen = async (port: number): Promise<number> => {
    await once(server.listen(port, "127.0.0.1"), "listening");
    const address: AddressInfo = JSON.parse(JSON.stringify(server.address()));
    return address.port;
  };
  const down = async (): Promise<void> => {
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  };
  const port = await listen(0);
  return {
    store,
    url: `http://127.0.0.1:${port}`,
    down,
    up: async () => void (await listen(port)),
    close: async () => {
      events.close();
      if (server.listening) await down();
      if (over === undefined) await store.close();
    },
  };
}
