import { expect, test } from "vitest";
import { agentEnvironment } from "../../../../src/adapters/runtimes/process/agent-environment.ts";

const session = { sessionId: "s1", baseDirectory: "/data/s1", environment: {} };

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

test("the repository's variables are added and override none of ours", () => {
  const environment = {
    DATABASE_URL: "sqlite:test.db",
    PATH: "/tmp",
    HOME: "/tmp",
    TMPDIR: "/tmp",
    LANG: "xx",
    GIT_TERMINAL_PROMPT: "1",
    FLOTILLA_SESSION: "other",
    RUNTIME_OFFLINE: "false",
  };
  const own = { RUNTIME_OFFLINE: "true" };
  const host = { PATH: "/bin", LANG: "C" };
  expect(agentEnvironment(host, { ...session, environment }, own)).toEqual({
    ...agentEnvironment(host, session, own),
    DATABASE_URL: "sqlite:test.db",
  });
});

test("the mark comes first: only the beginning of an environment is read where processes are looked for", () => {
  const environment = { FIRST: "x".repeat(4096) };
  const given = agentEnvironment({ PATH: "/bin" }, { ...session, environment });
  expect(Object.keys(given)[0]).toBe("FLOTILLA_SESSION");
});
