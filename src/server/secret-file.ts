import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { TOKEN_CHARACTERS } from "../config/environment.ts";
import { StartupRefused } from "../domain/kernel/errors.ts";

/**
 * Returns a secret that is generated once and stored in the data directory (0600): 32 random bytes in hex. Throws
 * `StartupRefused` if the file was truncated or edited and holds less than a token needs: an empty one would let
 * anybody in.
 */
export function secretFile(dataDir: string, name: string): string {
  const path = join(dataDir, name);
  if (existsSync(path)) {
    const kept = readFileSync(path, "utf8").trim();
    if (kept.length >= TOKEN_CHARACTERS) return kept;
    throw new StartupRefused([
      `${path} holds less than ${TOKEN_CHARACTERS} characters: delete it, and a new secret is made.`,
    ]);
  }
  const secret = randomBytes(32).toString("hex");
  writeFileSync(path, `${secret}\n`, { mode: 0o600, flag: "wx" });
  return secret;
}
