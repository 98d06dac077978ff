import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { TOKEN_CHARACTERS } from "../config/environment.ts";
import { StartupRefused } from "../domain/kernel/errors.ts";
import type { Store } from "../domain/ports/store.ts";

/**
 * Returns a secret that is generated once and stored in the data directory (0600): 32 random bytes in hex. Throws
 * `StartupRefused` if the file was truncated or edited and holds less than a token needs: an empty one would let
 * anybody in.
 */
export function secretFile(dataDir: string, name: string): string {
  const kept = keptIn(dataDir, name);
  if (kept !== undefined) return kept;
  const secret = newSecret();
  writeFileSync(join(dataDir, name), `${secret}\n`, { mode: 0o600, flag: "wx" });
  return secret;
}

/**
 * Returns the secret that signs the marks in our comments: that of the environment; else the one in the database, which
 * all processes on it share. One that an earlier version kept in a file of the data directory is taken over; the file
 * stays, for that version. Throws `StartupRefused` for a file as `secretFile` does.
 */
export async function markerSecret(
  given: string | undefined,
  {
    dataDir,
    store,
  }: { readonly dataDir: string; readonly store: Pick<Store, "keptSecrets" | "transaction"> },
): Promise<string> {
  if (given !== undefined) return given;
  const known = await store.keptSecrets.get("marker");
  if (known !== undefined) return known;
  const secret = keptIn(dataDir, "marker-secret") ?? newSecret();
  return store.transaction(async ({ keptSecrets }) => {
    const kept = await keptSecrets.keep("marker", secret);
    // What looks like a token is redacted in all that is written, and everybody knows the text in its place.
    if (kept.length < TOKEN_CHARACTERS)
      throw new StartupRefused([
        `${join(dataDir, "marker-secret")} holds what looks like a token, which is not written into the database: set FLOTILLA_MARKER_SECRET to it.`,
      ]);
    return kept;
  });
}

function newSecret(): string {
  return randomBytes(32).toString("hex");
}

function keptIn(dataDir: string, name: string): string | undefined {
  const path = join(dataDir, name);
  if (!existsSync(path)) return undefined;
  const kept = readFileSync(path, "utf8").trim();
  if (kept.length >= TOKEN_CHARACTERS) return kept;
  throw new StartupRefused([
    `${path} holds less than ${TOKEN_CHARACTERS} characters: delete it, and a new secret is made.`,
  ]);
}
