import { expect, test } from "vitest";
import { agentEnvironment } from "../../../src/adapters/runtimes/copilot/agent-environment.ts";

const session = { sessionId: "s1", baseDirectory: "/data/s1", offline: true };

test("an agent's environment holds the allowed names of the host and nothing else of it", () => {
  const host = {
    PATH: "/bin",
    LANG: "C",
    HTTPS_PROXY: "http://user:password@proxy",
    PRIVATE_KEY: "x",
    TZ: "",
  };
  expect(agentEnvironment(host, session)).toEqual({
    PATH: "/bin",
    LANG: "C",
    HOME: "/data/s1/home",
    TMPDIR: "/data/s1/tmp",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    FLOTILLA_SESSION: "s1@/data/s1",
    COPILOT_OFFLINE: "true",
  });
});

test("a host without PATH still gives agents one, and GitHub is looked up only without a provider", () => {
  const env = agentEnvironment({}, { ...session, offline: false });
  expect(env["PATH"]).toBe("/usr/local/bin:/usr/bin:/bin");
  expect(env).not.toHaveProperty("COPILOT_OFFLINE");
});
