import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Octokit } from "@octokit/rest";

const SOURCE = join(import.meta.dirname, "../../../src");

/** Text of each source file that may ask a server, by its path; the local GitHub and the page of the browser are none. */
export function sources(): ReadonlyMap<string, string> {
  const paths = readdirSync(SOURCE, { recursive: true, encoding: "utf8" });
  const asking = paths.filter((path) => path.endsWith(".ts") && !/^(?:demo|dashboard\/page)\//.test(path));
  return new Map(asking.map((path) => [path, readFileSync(join(SOURCE, path), "utf8")]));
}

/** No other room may import Octokit. */
export function textsOfRoom(): readonly string[] {
  return [...sources()].flatMap(([path, text]) => (path.startsWith("adapters/github/") ? [text] : []));
}

/** Every operation of Octokit's that is named in these texts, called on the spot or handed on. */
export function operationsCalled(texts: Iterable<string>): ReadonlySet<string> {
  const rest = Object(new Octokit().rest);
  const named = new RegExp(`\\b(${Object.keys(rest).join("|")})\\s*\\??\\.\\s*(\\w+)`, "g");
  const called = new Set<string>();
  for (const text of texts)
    for (const [, group = "", name = ""] of text.matchAll(named)) {
      // What is no call of Octokit's is a map's or a list's.
      const defaults = Object.hasOwn(rest[group], name) ? rest[group][name]?.endpoint?.DEFAULTS : undefined;
      if (defaults !== undefined) called.add(`${defaults.method} ${defaults.url}`);
    }
  return called;
}
