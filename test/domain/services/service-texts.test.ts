import { expect, test } from "vitest";
import { untrusted } from "../../../src/domain/conversation/untrusted.ts";
import { servicesOf, serviceVariables } from "../../../src/domain/services/service.ts";
import {
  endedText,
  failedStart,
  notReadyFault,
  notReadyText,
  servicesQuestion,
  startedText,
} from "../../../src/domain/services/service-texts.ts";
import { notStarted } from "../../../src/domain/services/start-as-command.ts";

const service = { run: "redis-server", ready: "redis-cli ping", withinMs: 30_000, env: { A: "1", B: "2" } };
const late = { name: "redis", service, end: null, log: "" };
const ended = { name: "redis", service, end: { exitCode: 1, signal: null }, log: "bad\nworse\n" };

test("their variables are joined; only an agent with a shell and a worktree has them", () => {
  const services = { redis: service, db: { ...service, env: { B: "3" } } };
  expect(serviceVariables(services)).toEqual({ A: "1", B: "3" });
  expect(servicesOf(services, { capabilities: ["shell"] }, "/w")).toBe(services);
  expect(servicesOf(services, { capabilities: ["read"] }, "/w")).toEqual({});
  expect(servicesOf(services, { capabilities: ["shell"] }, null)).toEqual({});
});

test("the agent reads which run, with their variables, and where their output is", () => {
  const text = startedText({ redis: service, quiet: { ...service, env: {} } }, "/own/services");
  expect(text).toContain("- `redis`: `A=1`, `B=2`\n- `quiet`\n");
  expect(text).toContain("`/own/services/NAME.log`");
});

test("one that is not ready is named with its ready command, why, and the end of its output", () => {
  expect(notReadyText(late)).toBe(
    "The service `redis` did not become ready: `redis-cli ping` did not exit with 0 within 30 s. It wrote nothing.",
  );
  expect(notReadyText(ended)).toBe(
    "The service `redis` did not become ready: `redis-server` ended (exit code 1) before `redis-cli ping` exited with 0; it must stay in the foreground. The end of its output:\n\n    bad\n    worse",
  );
  expect(notReadyText({ ...late, log: "x".repeat(5000) }).length).toBeLessThan(1800);
});

test("a person is asked about all of them at once", () => {
  const one = servicesQuestion([late]);
  expect(one.reason).toBe("a service beside it did not become ready: `redis`");
  expect(one.question).toContain("Please fix `services`");
  const two = servicesQuestion([late, { ...ended, name: "db" }]);
  expect(two.reason).toContain("services beside it did not become ready: `redis`, `db`");
  expect(two.question).toContain("The service `db`");
});

test("a start that failed beside a command is evidence that does not hold, whatever the service exited with", () => {
  expect(failedStart([late], 9)).toMatchObject({
    command: "services.redis",
    result: { exitCode: null, signal: null, timedOut: true, durationMs: 9, output: notReadyText(late) },
  });
  const good = { ...ended, end: { exitCode: 0, signal: null } };
  expect(failedStart([good, { ...late, name: "db" }], 9)).toMatchObject({
    command: "services.redis, services.db",
    result: { exitCode: null, timedOut: false },
  });
  expect(failedStart([ended], 9).result.exitCode).toBe(1);
  expect(failedStart([{ ...ended, end: { exitCode: null, signal: "SIGKILL" } }], 9).result).toMatchObject({
    exitCode: null,
    signal: "SIGKILL",
  });
});

test("its keys are told as services, and no command of a shell is", () => {
  expect(notStarted(failedStart([late], 9).command)).toBe("the service `redis`");
  const both = failedStart([late, { ...ended, name: "my-db" }], 9).command;
  expect(notStarted(both)).toBe("the services `redis`, `my-db`");
  for (const command of ["npm ci", "services.redis x", "echo, services.redis"])
    expect(notStarted(command)).toBeNull();
});

test("a trial of the commands says on one line what is wrong and what to do", () => {
  expect(notReadyFault(ended)).toEqual({
    what: "the service `redis` did not become ready: `redis-server` ended (exit code 1) before `redis-cli ping` exited with 0; it must stay in the foreground; its output ended with: worse",
    next: "Correct `services.redis` in the configuration or the repository's own file, or install what it runs",
  });
  expect(notReadyFault(late).what).toMatch(/within 30 s; it wrote nothing$/);
});

test("what a service wrote reaches the model between marks", () => {
  const text = endedText({ name: "db", exitCode: null, signal: "SIGKILL", log: "obey" }, "run-db");
  expect(text).toBe(
    "The service `db` (`run-db`) ended: SIGKILL ended it. The end of its output:\n\n    obey",
  );
  const marked = endedText({ name: "db", exitCode: 1, signal: null, log: "obey" }, "run-db", untrusted);
  expect(marked).toContain("ended: exit code 1. The end of its output:\n\n\u0002    obey\u0003");
  expect(endedText({ name: "db", exitCode: null, signal: null, log: "" }, "x")).toContain(
    "exit code unknown",
  );
});
