import type { HookOutcome } from "../../domain/ports/github-app.ts";

/** The address where webhooks finally arrive: HOST and PORT. */
export interface Listens {
  readonly host: string;
  readonly port: number;
}

const SWEEP = "then `flotilla deliveries sweep` brings what was lost";

/**
 * Returns why a delivery did not arrive, and what to do, from the status that GitHub gives it: `failed to
 * connect to host`, `failed to connect to network`, `timed out`, `peer certificate cannot be authenticated
 * …`, or an HTTP status.
 */
export function lostBecause(
  { statusCode, status }: HookOutcome,
  url: string,
  listens: Listens,
): readonly [why: string, next: string] {
  const at = `${listens.host}:${listens.port}`;
  if (statusCode === 401)
    return [
      "its secret is not WEBHOOK_SECRET, so everything from GitHub is refused",
      "Set the same secret in the App's settings and in WEBHOOK_SECRET, then restart",
    ];
  if (/certificate/i.test(status))
    return [
      `GitHub does not trust the certificate at ${url}`,
      `Give the proxy there a certificate of a public authority, with its whole chain; ${SWEEP}`,
    ];
  if (statusCode >= 300 && statusCode < 500)
    return [
      `something else than Flotilla answers at ${url}`,
      "Correct the webhook's address in the App's settings, or the proxy or tunnel on the way",
    ];
  if (statusCode === 504 || /timed out/i.test(status))
    return [
      "no answer within ten seconds",
      `See that no firewall drops what comes from GitHub, that the tunnel or proxy on the way leads to ${at}${reached(listens)}, and whether this machine is overloaded; ${SWEEP}`,
    ];
  if (/failed to connect/i.test(status))
    return [
      `nobody listens at ${url}: the connection is refused, or its name leads nowhere`,
      `Start the tunnel or proxy, let it lead to ${at}${reached(listens)}, and see that the address in the App's settings is still its own; ${SWEEP}`,
    ];
  return [
    `the tunnel or proxy at ${url} does not reach Flotilla`,
    `See that Flotilla serves, and let the tunnel or proxy lead to ${at}${reached(listens)}; ${SWEEP}`,
  ];
}

/**
 * Advises on an address that cannot be reached: a loopback address is closed to other machines and to a
 * container's host.
 */
function reached({ host }: Listens): string {
  return /^(?:127\.|::1$|localhost$)/.test(host)
    ? ` (only programs on this machine reach that: where they run elsewhere, or Flotilla in a container, set HOST=0.0.0.0)`
    : "";
}
