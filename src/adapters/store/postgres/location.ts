import type { DatabaseSettings, Fault } from "../database.ts";

/** The variable that names the database; its value may hold a password. */
export const URL_VARIABLE = "DATABASE_URL";
/** PostgreSQL's own variable for the password, which its programs read too. */
const PASSWORD_VARIABLE = "PGPASSWORD";

const SCHEMES = ["postgres:", "postgresql:"];

/** Where a database is. */
export interface Location {
  /** As the person wrote it. */
  readonly url: string;
  /** Without the password and the parameters. */
  readonly told: string;
  /** Why the text cannot be used; undefined for one that can. */
  readonly fault: Fault | undefined;
}

const EXAMPLE = "Write postgres://user@host/database, with the password in it or in PGPASSWORD";

/** Reads the text of DATABASE_URL. */
export function locationOf(text: string): Location {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // What is no URL may hold a password anywhere.
  if (url === undefined)
    return { url: text, told: URL_VARIABLE, fault: { what: "is no URL", next: EXAMPLE } };
  const user = url.username === "" ? "" : `${url.username}@`;
  const told = `postgres://${user}${url.host}${url.pathname}`;
  if (!SCHEMES.includes(url.protocol))
    return { url: text, told: URL_VARIABLE, fault: { what: `begins with ${url.protocol}//`, next: EXAMPLE } };
  if (url.pathname.length < 2)
    return { url: text, told, fault: { what: "names no database", next: EXAMPLE } };
  return { url: text, told, fault: undefined };
}

/** Returns the URL and the passwords, each as it is written and as it is meant. */
export function secretsIn(variables: DatabaseSettings["variables"]): readonly string[] {
  const text = variables[URL_VARIABLE] ?? "";
  const password = URL.canParse(text) ? new URL(text).password : "";
  // Without a password, the URL is no secret: errors name it.
  const inUrl = password === "" ? [] : [text, password, decoded(password)];
  return [...new Set([...inUrl, variables[PASSWORD_VARIABLE] ?? ""])].filter((secret) => secret !== "");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
