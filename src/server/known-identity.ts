import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { messageOf, OutsideError, StartupRefused } from "../domain/kernel/errors.ts";
import type { Clock } from "../domain/ports/clock.ts";
import type { GitHub } from "../domain/ports/github.ts";
import type { Log } from "../domain/ports/log.ts";
import type { Store } from "../domain/ports/store.ts";

/** How often a machine without the App's key looks whether a controller has said who the App is. */
const LOOK_MS = 1_000;

const identitySchema = z.strictObject({
  slug: z.string(),
  appId: z.int(),
  botLogin: z.string(),
  botId: z.int(),
});
type Identity = z.infer<typeof identitySchema>;

/**
 * Returns the App's identity on GitHub. Asks GitHub once and stores the answer in the data directory, so that a start
 * while GitHub is down can still accept webhooks. Throws `StartupRefused` if GitHub does not know the App or has never
 * been reached.
 */
export async function knownIdentity(options: {
  github: Pick<GitHub, "identity">;
  appId: number;
  dataDir: string;
  apiUrl: string;
  log: Log;
}): Promise<Identity> {
  const path = join(options.dataDir, "identity.json");
  try {
    const identity = await options.github.identity();
    writeFileSync(path, `${JSON.stringify(identity)}\n`, { mode: 0o600 });
    return identity;
  } catch (error) {
    const passing =
      error instanceof OutsideError && (error.consequence === "retry" || error.consequence === "park");
    const known = passing ? rememberedIdentity(options.dataDir) : undefined;
    if (known?.appId === options.appId) {
      options.log.warn(
        { error: messageOf(error) },
        "GitHub not reached: continuing with the stored identity of the App",
      );
      return known;
    }
    const advice = error instanceof OutsideError && error.advice !== undefined ? ` ${error.advice}` : "";
    throw new StartupRefused([
      passing
        ? `${options.apiUrl} cannot be reached (${messageOf(error)}): check the network and GHE_HOST.${advice}`
        : `GitHub does not accept the App ${options.appId} (${messageOf(error)}): check APP_ID and the private key.${advice}`,
    ]);
  }
}

/** Returns the identity stored in the data directory; undefined before the first start. Does not contact GitHub. */
export function rememberedIdentity(dataDir: string): Identity | undefined {
  const path = join(dataDir, "identity.json");
  if (!existsSync(path)) return undefined;
  const read = identitySchema.safeParse(JSON.parse(readFileSync(path, "utf8")));
  return read.success ? read.data : undefined;
}

/**
 * Returns the App's identity on a machine without its key, as a controller has stored it. Waits for the first controller
 * of a new database. Throws `StartupRefused` where the database belongs to another App.
 */
export async function identityFromController({
  store,
  appId,
  clock,
  log,
}: {
  readonly store: Pick<Store, "appIdentities">;
  readonly appId: number;
  readonly clock: Pick<Clock, "after">;
  readonly log: Log;
}): Promise<Identity> {
  for (let told = false; ; told = true) {
    const identity = await store.appIdentities.get(appId);
    if (identity !== undefined) return identity;
    const others = await store.appIdentities.ids();
    if (others.length > 0)
      throw new StartupRefused([
        `APP_ID is ${appId} here, but the database is that of the App ${others.join(" and ")}: set APP_ID to that number. If the App ${appId} is to take its place, first start a machine with the role controller and the key of the App ${appId}.`,
      ]);
    if (!told) log.warn({ appId }, "waiting for a machine with the role controller, which has the App's key");
    await new Promise<void>((resolve) => clock.after(LOOK_MS, resolve));
  }
}
