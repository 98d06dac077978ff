import { expect, test } from "vitest";
import { agentEnvironment } from "../../../../src/adapters/runtimes/process/agent-environment.ts";

const session = { sessionId: "s1", baseDirectory: "/data/s1" };

test("an agent's environment holds the allowed names of the host, what its runtime reads, and nothing else", () => {
  const host = {
    PATH: "/bin",
    LANG: "C",
    HTTPS_PROXY: "http://user:password@proxy",
    PRIVATE_KEY: "x",
    TZ: "",
  };
  expect(agentEnvironment(host, session, { RUNTIME_OFFLINE: "true", HOME: "/home/me" })).toEqual({
    PATH: "/bin",
    LANG: "C",
    HOME: "/data/s1/home",
    TMPDIR: "/data/s1/tmp",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    FLOTILLA_SESSION: "s1@/data/s1",
    RUNTIME_OFFLINE: "true",
  });
});

test("a host without PATH still gives agents one", () => {
  expect(agentEnvironment({}, session)["PATH"]).toBe("/usr/local/bin:/usr/bin:/bin");
});
