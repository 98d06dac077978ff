import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { type Redact, redactor } from "../domain/access/redact.ts";

/**
 * Names of variables that hold a secret. The provider's key may have any name, and the configuration may be unreadable.
 */
const SECRET_NAME = /KEY|SECRET|TOKEN|PASSW|CREDENTIAL/i;
/** Variables that hold the path of a secret. Errors must be able to name a path. */
const PLACE_NAME = /_(?:PATH|FILE|DIR|SOCK)$/i;

/**
 * Redacts the errors of commands and their stacks, which may quote anything: the secrets that the environment holds or
 * names, and tokens that are created at run time, which have known formats. Does not read the configuration, because a
 * faulty configuration is one of these errors.
 */
export function environmentRedactor(env: Readonly<Record<string, string | undefined>>, cwd: string): Redact {
  const held = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && SECRET_NAME.test(name) && !PLACE_NAME.test(name) ? [value] : passwordsIn(value),
  );
  return redactor([...held, ...fileOf(env["PRIVATE_KEY_PATH"], cwd)]);
}

/** Returns the password in a URL, such as that of a database, as it is written and as it is meant. */
function passwordsIn(value: string | undefined): readonly string[] {
  const password = value !== undefined && URL.canParse(value) ? new URL(value).password : "";
  if (password === "") return [];
  try {
    return [password, decodeURIComponent(password)];
  } catch {
    return [password];
  }
}

/** Reads the private key that the environment names. If it cannot be read, it cannot leak either. */
function fileOf(path: string | undefined, cwd: string): readonly string[] {
  if (path === undefined || path === "") return [];
  try {
    return [readFileSync(resolve(cwd, path), "utf8")];
  } catch {
    return [];
  }
}
