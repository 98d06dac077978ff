import { GitHubError } from "../../../domain/kernel/errors.ts";
import { aboutMinutes } from "../../../domain/messages/format.ts";
import { allowedAgainAt, type Headers, isRateLimit, retryAfter } from "./rate-limit.ts";

export interface Asked {
  readonly method: string;
  /** The address without the server. */
  readonly path: string;
  /** True if the App itself sent the request (with its key), not one of its installations. */
  readonly asApp: boolean;
  /** True for a read of GraphQL, which is sent by POST. */
  readonly isQuery?: boolean;
}

interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly data: unknown;
}

/** Returns whether the request may have changed something, so that it must not be repeated without checking. */
export function isWrite({ method, isQuery }: Pick<Asked, "method" | "isQuery">): boolean {
  return method !== "GET" && method !== "HEAD" && isQuery !== true;
}

/**
 * Creates the error for a request without an answer: refused connection, reset, truncated answer, timeout. A write may
 * have been carried out.
 */
export function errorWithoutAnswer(asked: Asked, reason: string, cause?: unknown): GitHubError {
  return new GitHubError("unavailable", `No answer to ${requestText(asked)}: ${reason}`, 0, {
    consequence: "retry",
    uncertain: isWrite(asked),
    advice: "Check that this machine reaches GitHub (network, proxy, GHE_HOST).",
    cause,
  });
}

/** Returns method and path. People read it in comments, so the query is left out. */
function requestText({ method, path }: Asked): string {
  return `${method} ${path.split("?", 1)[0]}`;
}

/** Converts GitHub's refusal or failure to an error in our terms. `now` is in milliseconds since the epoch. */
export function errorFromAnswer(asked: Asked, answered: Answered, now: number): GitHubError {
  const { status, headers, data } = answered;
  const text = textOf(data);
  const message = `GitHub answered ${status} to ${requestText(asked)}${text && `: ${text}`}`;
  const refuse = (
    code: ConstructorParameters<typeof GitHubError>[0],
    options: ConstructorParameters<typeof GitHubError>[3],
  ): GitHubError => new GitHubError(code, message, status, options);

  if (isRateLimit(status, headers, text)) {
    const retryAt = allowedAgainAt(headers, now);
    const when = `${message}; it continues ${aboutMinutes(retryAt - now)}`;
    return new GitHubError("rate_limited", when, status, {
      consequence: "park",
      retryAt,
      advice: "Nothing to do: it continues automatically when GitHub allows it.",
    });
  }
  if (status >= 500) {
    return refuse("unavailable", {
      consequence: "retry",
      uncertain: isWrite(asked),
      retryAt: retryAfter(headers, now),
      advice: "Nothing to do unless it lasts: see the status page of your GitHub.",
    });
  }
  switch (status) {
    case 401:
      return refuse("unauthorized", { consequence: "tell", advice: unauthorizedAdvice(asked) });
    case 403:
      return refuse("forbidden", { consequence: "tell", advice: permissionAdvice(asked, headers, text) });
    case 404:
      return refuse("not_found", {
        consequence: "stop",
        advice:
          asked.asApp && asked.path.endsWith("/app")
            ? "Check APP_ID and GHE_HOST: there is no such App, or no GitHub, at this address."
            : "It was deleted, or the App is not installed on the repository: see the App's installations.",
      });
    case 405:
      return refuse("unsupported", { consequence: "stop", advice: "This server does not offer it." });
    case 409:
      return refuse("conflict", { consequence: "retry", advice: "Nothing to do: it is tried again." });
    case 410:
      return refuse("not_found", {
        consequence: "stop",
        advice:
          "If issues are switched off in the repository's settings, switch them on. If it was deleted, nothing is left to do.",
      });
    default:
      return refuse("invalid", {
        consequence: "stop",
        advice: "GitHub does not accept what was sent; the message says which part.",
      });
  }
}

function unauthorizedAdvice(asked: Asked): string {
  return asked.asApp
    ? "Check that APP_ID and PRIVATE_KEY belong to the same App on this GitHub, and that this machine's clock is right."
    : "The App's token was refused twice: check that the App is still installed and not suspended.";
}

/** Returns GitHub's message with the errors that it lists. */
function textOf(data: unknown): string {
  if (!isRecord(data)) return "";
  const faults = Array.isArray(data["errors"]) ? data["errors"] : [];
  return [data["message"], ...faults.map(faultText)].filter((part) => typeof part === "string").join("; ");
}

function faultText(fault: unknown): unknown {
  if (!isRecord(fault)) return fault;
  return fault["message"] ?? ["resource", "field", "code"].map((name) => String(fault[name])).join(" ");
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

/** The App permission that an address needs, by the decisive part of its path. The first match counts. */
const BY_PATH: readonly { path: RegExp; permission: string }[] = [
  { path: /\/access_tokens$/, permission: "the permissions that app.yml lists" },
  { path: /\/(issues|labels)(\/|\?|$)/, permission: '"Issues: Read and write"' },
  { path: /\/pulls(\/|\?|$)/, permission: '"Pull requests: Read and write"' },
  { path: /\/check-runs(\/|\?|$)/, permission: '"Checks: Read-only"' },
  { path: /\/actions(\/|\?|$)/, permission: '"Actions: Read and write"' },
  { path: /\/status(es)?(\/|\?|$)/, permission: '"Commit statuses: Read-only"' },
  { path: /\/(git|contents|branches)(\/|\?|$)/, permission: '"Contents: Read and write"' },
];

/** Returns the advice for a 403 that is not a rate limit. */
function permissionAdvice(asked: { path: string }, headers: Headers, text: string): string {
  if (/archived/i.test(text)) return "The repository is archived: unarchive it or uninstall the App from it.";
  if (/locked/i.test(text)) return "The conversation is locked: unlock it to let the App write.";
  if (/suspended/i.test(text)) return "The App's installation is suspended: unsuspend it in its settings.";
  const accepted = headers["x-accepted-github-permissions"];
  const wanted =
    accepted === undefined || accepted === ""
      ? (BY_PATH.find(({ path }) => path.test(asked.path))?.permission ?? '"Metadata: Read-only"')
      : `one of ${String(accepted)}`;
  return `Grant the App ${wanted} (App settings, Permissions), then accept the change in the installation.`;
}
