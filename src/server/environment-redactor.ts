import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { type Redact, redactor } from "../domain/access/redact.ts";

/** Names of variables that hold a secret. The provider's key may have any name, and the configuration may be unreadable. */
const SECRET_NAME = /KEY|SECRET|TOKEN|PASSW|CREDENTIAL/i;
/** These hold where one lies, which an error must be able to name. */
const PLACE_NAME = /_(?:PATH|FILE|DIR|SOCK)$/i;

/**
 * For the errors of commands and their stacks, which may quote anything: takes out the secrets that the environment holds
 * or names, and the tokens that are made meanwhile, which have known shapes. Made without reading the configuration, since
 * a fault in it is one of the errors.
 */
export function spoken(env: Readonly<Record<string, string | undefined>>, cwd: string): Redact {
  const held = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && SECRET_NAME.test(name) && !PLACE_NAME.test(name) ? [value] : [],
  );
  return redactor([...held, ...fileOf(env["PRIVATE_KEY_PATH"], cwd)]);
}

/** The private key beside the environment; one that cannot be read cannot be shown either. */
function fileOf(path: string | undefined, cwd: string): readonly string[] {
  if (path === undefined || path === "") return [];
  try {
    return [readFileSync(resolve(cwd, path), "utf8")];
  } catch {
    return [];
  }
}
