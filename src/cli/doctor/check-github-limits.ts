import { aboutMinutes } from "../../domain/messages/format.ts";
import type { GitHubWait } from "../../domain/ports/github-app.ts";
import type { Finding } from "../../server/start-checks/finding.ts";
import type { Check } from "./check.ts";

/** Checks whether GitHub's limits hold requests back. */
export const checkGitHubLimits: Check = async ({ github, now }) =>
  github.limitWaits().map((wait) => heldBack(wait, now));

function heldBack({ account, what, until }: GitHubWait, now: number): Finding {
  const who = account === "*" ? "any account" : account;
  const nothing = what === "everything" ? "no request" : "no new comment, label or pull request";
  return {
    about: "GitHub's limits",
    what: `leave ${nothing} of ${who} now`,
    next: `Nothing to do: it continues ${aboutMinutes(until - now)}`,
  };
}
