import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { TOKEN_CHARACTERS } from "../config/environment.ts";
import { StartupRefused } from "../domain/kernel/errors.ts";

/**
 * Returns a secret of our own, made once and kept in the data directory (0600): 32 random bytes in hex. Throws
 * `StartupRefused` for a file that was cut or filled by hand with less than a token needs: an empty one lets anybody in.
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
