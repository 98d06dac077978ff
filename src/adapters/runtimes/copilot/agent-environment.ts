import { join } from "node:path";
import { PROCESS_MARK } from "../../../domain/breakers/process-mark.ts";

/** Variables of the host that agents may see. Everything else stays outside: it may hold keys, tokens, proxies with passwords. */
const passed = [
  "PATH",
  "LANG",
  "LC_ALL",
  "LC_CTYPE",
  "TZ",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "NODE_EXTRA_CA_CERTS",
];

/**
 * The mark of a session's processes. The directory belongs to it: two Flotillas on one machine that work for the same
 * repository give their sessions the same ids.
 */
export function markOf(session: { sessionId: string; baseDirectory: string }): string {
  return `${session.sessionId}@${session.baseDirectory}`;
}

/**
 * The complete environment of one session's runtime and of the shells in it.
 * `offline` keeps the runtime from GitHub look-ups; it is right whenever a provider of one's own is used.
 */
export function agentEnvironment(
  hostEnv: Readonly<Record<string, string | undefined>>,
  session: { sessionId: string; baseDirectory: string; offline: boolean },
): Record<string, string> {
  const env: Record<string, string> = { PATH: "/usr/local/bin:/usr/bin:/bin" };
  for (const name of passed) {
    const value = hostEnv[name];
    if (value) env[name] = value;
  }
  const { home, tmp } = sessionDirectories(session.baseDirectory);
  return {
    ...env,
    HOME: home,
    TMPDIR: tmp,
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    [PROCESS_MARK]: markOf(session),
    ...(session.offline ? { COPILOT_OFFLINE: "true" } : {}),
  };
}

/** Places inside a session's base directory: `home` and `tmp` are the agent's to write, `state` is the runtime's own. */
export function sessionDirectories(baseDirectory: string): { home: string; tmp: string; state: string } {
  return {
    home: join(baseDirectory, "home"),
    tmp: join(baseDirectory, "tmp"),
    state: join(baseDirectory, "session-state"),
  };
}
