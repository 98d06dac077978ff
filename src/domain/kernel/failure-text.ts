import { z } from "zod";
import type { DeliveryRow, EffectRow } from "./rows.ts";

/** Why something failed for good, in plain words, and what a person can do about it. */
export interface FailureText {
  readonly why: string;
  readonly next: string;
}

/** What an effect that failed for good keeps of its error besides the message. */
const failed = z.object({ code: z.string(), advice: z.string().nullable() });

const AT_GITHUB: Readonly<Record<string, FailureText>> = {
  forbidden: {
    why: "GitHub did not allow it",
    next: "check the App's permissions with `flotilla doctor`, then retry",
  },
  unauthorized: {
    why: "GitHub refused the App's credentials",
    next: "check that the App is installed and that its key is valid, then retry",
  },
  not_found: {
    why: "GitHub does not have it any more, or the App may not see it",
    next: "if it was deleted, there is nothing to do; otherwise check where the App is installed, then retry",
  },
  conflict: { why: "GitHub reported a conflict each time", next: "resolve the conflict, then retry" },
  invalid: { why: "GitHub did not accept what was sent", next: "fix what its answer names, then retry" },
  unavailable: { why: "GitHub did not answer", next: "retry once GitHub can be reached" },
};

const AT_RECEIVER: Readonly<Record<string, FailureText>> = {
  no_receiver: {
    why: "the configuration no longer names this receiver",
    next: "put it back below `notices` and restart, then retry; otherwise there is nothing to do",
  },
  unavailable: {
    why: "the receiver did not answer",
    next: "retry once it can be reached; `flotilla notices try` sends it a test",
  },
  rate_limited: {
    why: "the receiver asked to wait for more than a day",
    next: "retry when it accepts notices",
  },
  refused: { why: "the receiver refused it", next: "check its address, then retry" },
};

const IN_GIT: Readonly<Record<string, FailureText>> = {
  auth_failed: {
    why: "git could not sign in at GitHub",
    next: "check that the App may write contents, then retry",
  },
  foreign_commits: {
    why: "somebody else pushed to the branch",
    next: "say `/flotilla resume` on the issue, and the agent continues on top of that",
  },
  network: { why: "GitHub did not answer git", next: "retry once GitHub can be reached" },
  protected: { why: "a rule of the repository forbids it", next: "let the App past the rule, then retry" },
};

const ANYWHERE: Readonly<Record<string, FailureText>> = {
  time_limit: { why: "it took too long each time", next: "retry; if it fails again, look at the log" },
  unreadable_row: {
    why: "a row of the database cannot be read",
    next: "correct the row or restore a backup, then retry",
  },
  stale_snapshot: { why: "it was changed by something else each time", next: "retry" },
};

const OTHERWISE: FailureText = {
  why: "an unexpected error stopped it",
  next: "fix what the error names, then retry",
};

/** Returns the text of an effect that failed for good; null for any other. */
export function effectFailure({
  kind,
  state,
  error,
  result,
}: Pick<EffectRow, "kind" | "state" | "error" | "result">): FailureText | null {
  if (state !== "failed") return null;
  const { code = codeIn(error ?? ""), advice = null } = failed.safeParse(result).data ?? {};
  const known = { ...ANYWHERE, ...(kind === "notify" ? AT_RECEIVER : { ...AT_GITHUB, ...IN_GIT }) };
  const { why, next } = textOf(known, code) ?? OTHERWISE;
  return { why, next: advice ?? next };
}

/** Returns the text of a webhook that could not be handled; null for any other. */
export function deliveryFailure({ state, note }: Pick<DeliveryRow, "state" | "note">): FailureText | null {
  if (state !== "dead") return null;
  const code = /^([a-z_]+): /.exec(note ?? "")?.[1] ?? codeIn(note ?? "");
  return textOf({ ...ANYWHERE, ...AT_GITHUB }, code) ?? OTHERWISE;
}

function textOf(texts: Readonly<Record<string, FailureText>>, code: string): FailureText | undefined {
  return Object.hasOwn(texts, code) ? texts[code] : undefined;
}

const BY_STATUS: Readonly<Record<string, string>> = {
  401: "unauthorized",
  403: "forbidden",
  404: "not_found",
  409: "conflict",
  410: "not_found",
  422: "invalid",
};

/** Returns the code of an error of which only the message was kept, as earlier versions did; "" where it is not known. */
function codeIn(message: string): string {
  if (/^No answer to |^the receiver \S+ (?:cannot be reached|gave no answer)/.test(message))
    return "unavailable";
  const [, who, status = ""] = /^(GitHub|the receiver \S+) answered (\d{3})\b/.exec(message) ?? [];
  if (who === undefined) return "";
  if (status.startsWith("5")) return "unavailable";
  return who === "GitHub" ? (BY_STATUS[status] ?? "") : "refused";
}
