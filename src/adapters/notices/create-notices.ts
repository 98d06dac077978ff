import { createHmac } from "node:crypto";
import { OutsideError } from "../../domain/kernel/errors.ts";
import type { Clock } from "../../domain/ports/clock.ts";
import type { Notices } from "../../domain/ports/notices.ts";
import { withTimeout } from "../../time/with-timeout.ts";

/** Where a receiver is, and the key that its notices are signed with; null where it checks no signature. */
interface NoticeAddress {
  readonly url: string;
  /** In base64. */
  readonly secret: string | null;
}

const LIMIT_MS = 10_000;
/** A receiver cannot ask us to wait longer, in milliseconds. */
const LONGEST_WAIT_MS = 60 * 60_000;

/** Returns what posts notices to these receivers, by their names. */
export function createNotices(
  addresses: ReadonlyMap<string, NoticeAddress>,
  { clock }: { readonly clock: Clock },
): Notices {
  return {
    send: async ({ receiver, id, body }) => {
      const address = addresses.get(receiver);
      if (address === undefined)
        throw new OutsideError("no_receiver", `no receiver of notices is named ${receiver}`, {
          consequence: "stop",
        });
      const headers = {
        "content-type": "application/json",
        "user-agent": "flotilla",
        ...signed(address.secret, { id, body, seconds: Math.floor(clock.now() / 1000) }),
      };
      const aborter = new AbortController();
      const init = { method: "POST", headers, body, redirect: "manual", signal: aborter.signal } as const;
      const posting = fetch(address.url, init).catch((error: unknown) => unreached(receiver, error));
      const answer = await withTimeout(clock, LIMIT_MS, posting, () => silent(receiver));
      if (answer instanceof OutsideError) {
        aborter.abort();
        throw answer;
      }
      // Nothing in it is of use, and it may be of any length.
      await answer.body?.cancel().catch(() => {});
      if (!answer.ok) throw refused(receiver, answer, clock.now());
    },
  };
}

/** Headers of Standard Webhooks (https://www.standardwebhooks.com): HMAC-SHA256 of id, seconds and body. */
function signed(
  secret: string | null,
  { id, body, seconds }: { readonly id: string; readonly body: string; readonly seconds: number },
) {
  if (secret === null) return {};
  const signature = createHmac("sha256", Buffer.from(secret, "base64"))
    .update(`${id}.${seconds}.${body}`)
    .digest("base64");
  return { "webhook-id": id, "webhook-timestamp": String(seconds), "webhook-signature": `v1,${signature}` };
}

function silent(receiver: string): OutsideError {
  return new OutsideError("unavailable", `the receiver ${receiver} gave no answer within 10 seconds`, {
    consequence: "retry",
    uncertain: true,
  });
}

function unreached(receiver: string, error: unknown): OutsideError {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "no answer";
  return new OutsideError("unavailable", `the receiver ${receiver} cannot be reached (${code})`, {
    consequence: "retry",
    uncertain: true,
  });
}

function refused(receiver: string, { status, headers }: Response, now: number): OutsideError {
  const what = `the receiver ${receiver} answered ${status}`;
  if (status === 429 || status >= 500) {
    const wait = waitOf(headers.get("retry-after") ?? "", now);
    if (!(wait > 0)) return new OutsideError("unavailable", what, { consequence: "retry" });
    const retryAt = now + Math.min(wait, LONGEST_WAIT_MS);
    return new OutsideError("rate_limited", what, { consequence: "park", retryAt });
  }
  const advice =
    status >= 300 && status < 400
      ? "Put the address to which it redirects into the environment variable that its `url_env` names."
      : "Check the address in the environment variable that its `url_env` names, then send it a test with `flotilla notices try`.";
  return new OutsideError("refused", what, { consequence: "stop", advice });
}

/** Returns the milliseconds of a `retry-after`, which is in seconds or a date; NaN where it is neither. */
function waitOf(after: string, now: number): number {
  return Number.isNaN(Number(after)) ? Date.parse(after) - now : Number(after) * 1000;
}
