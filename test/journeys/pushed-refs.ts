import { execFileSync } from "node:child_process";
import { globSync } from "node:fs";
import { join } from "node:path";
import { isObject } from "../../src/demo/github/http/fields.ts";
import type { Journey } from "./journey.ts";

/** Returns what the App pushed, according to GitHub's webhooks; `how` is empty if a branch moved forward or was new. */
export function appPushes({
  github,
}: Pick<Journey, "github">): readonly { readonly ref: string; readonly how: string }[] {
  const pushes = github.webhooks.deliveries().filter(({ event }) => event === "push");
  return pushes.flatMap(({ body }) => {
    const told: unknown = JSON.parse(body);
    if (!isObject(told) || !isObject(told["sender"]) || told["sender"]["id"] !== github.app.bot.id) return [];
    const how = ["forced", "deleted"].filter((field) => told[field] !== false).join(" and ");
    return [{ ref: String(told["ref"]), how }];
  });
}

/**
 * Returns every ref of the server's repositories. GitHub sends no webhooks for refs that are neither branches nor tags.
 */
export function refsOnServer({ dataDir }: Pick<Journey, "dataDir">): readonly string[] {
  const repositories = globSync(join(dataDir, "../../github/**/*.git"));
  return repositories.flatMap((directory) =>
    execFileSync("git", [`--git-dir=${directory}`, "for-each-ref", "--format=%(refname)"], {
      encoding: "utf8",
    })
      .trim()
      .split("\n"),
  );
}
