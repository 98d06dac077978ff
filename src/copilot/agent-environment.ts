import { join } from "node:path";

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

/** Marks every process of a session, so that those left behind by a crash can be found. */
export const sessionMark = "FLOTILLA_SESSION_ID";

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
    [sessionMark]: session.sessionId,
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
