import { duration } from "../messages/format.ts";
import { inlineCode } from "../messages/inline-code.ts";
import type { CommandResult } from "../ports/runner.ts";
import type { ServiceEnd } from "../ports/service-host.ts";
import type { ServiceFailure, Services } from "./service.ts";
import { startAsCommand } from "./start-as-command.ts";

/** Characters of a service's output that are shown. */
const SHOWN = 1500;
/** Characters of the last line where one line is shown. */
const LAST = 200;

/** Returns what the agent reads of its services when they have been started; `logs` is the directory of their output. */
export function startedText(services: Services, logs: string): string {
  return [
    "These services run beside your shell. They were started just now and are empty:",
    ...Object.entries(services).map(([name, { env }]) => {
      const variables = Object.entries(env).map(([key, value]) => inlineCode(`${key}=${value}`));
      return `- ${inlineCode(name)}${variables.length === 0 ? "" : `: ${variables.join(", ")}`}`;
    }),
    `Their output is in ${inlineCode(`${logs}/NAME.log`)}. You are told when one ends; it is not started again. The commands that check your work get services of their own.`,
  ].join("\n");
}

/** Returns that a service ended while something ran beside it; `marked` marks what the service itself wrote. */
export function endedText(end: ServiceEnd, run: string, marked = (text: string) => text): string {
  return `The service ${inlineCode(end.name)} (${inlineCode(run)}) ended: ${howServiceEnded(end)}. ${logText(end.log, marked)}`;
}

/** Returns why a service did not become ready, as one sentence and the end of its output. */
export function notReadyText(failure: ServiceFailure): string {
  return `The ${whyNotReady(failure)}. ${logText(failure.log)}`;
}

/** Returns the same for the operator or a maintainer, on one line: what is wrong, and what to do. */
export function notReadyFault(failure: ServiceFailure): { readonly what: string; readonly next: string } {
  const last = failure.log.trim().split("\n").at(-1)?.slice(-LAST) ?? "";
  return {
    what: `the ${whyNotReady(failure)}; ${last === "" ? "it wrote nothing" : `its output ended with: ${last}`}`,
    next: `Correct \`services.${failure.name}\` in the configuration or the repository's own file, or install what it runs`,
  };
}

function whyNotReady({ name, service, end }: ServiceFailure): string {
  const ready = inlineCode(service.ready);
  const why =
    end === null
      ? `${ready} did not exit with 0 within ${duration(service.withinMs)}`
      : `${inlineCode(service.run)} ended (${howServiceEnded(end)}) before ${ready} exited with 0; it must stay in the foreground`;
  return `service ${inlineCode(name)} did not become ready: ${why}`;
}

/** Returns why a person is asked: the short reason, and the question. */
export function servicesQuestion(failures: readonly ServiceFailure[]): {
  readonly reason: string;
  readonly question: string;
} {
  const names = failures.map(({ name }) => inlineCode(name)).join(", ");
  return {
    reason: `${failures.length === 1 ? "a service" : "services"} beside it did not become ready: ${names}`,
    question: [
      "Please fix `services` in `.github/flotilla.yml` or in the operator's configuration, or install on the host what a service needs. Then say `/flotilla resume`.",
      ...failures.map(notReadyText),
    ].join("\n\n"),
  };
}

/** Returns the start of services as a command that failed; named by its key in the repository's file. */
export function failedStart(
  failures: readonly ServiceFailure[],
  durationMs: number,
): { readonly command: string; readonly result: CommandResult } {
  const [first] = failures;
  return {
    command: startAsCommand(failures.map(({ name }) => name)),
    result: {
      // Whatever it ended with, it ended too early.
      exitCode: first?.end?.exitCode || null,
      signal: first?.end?.signal ?? null,
      timedOut: first?.end === null,
      output: failures.map(notReadyText).join("\n\n"),
      durationMs,
      refusedHosts: [],
      refusals: [],
    },
  };
}

export function howServiceEnded({ exitCode, signal }: Pick<ServiceEnd, "exitCode" | "signal">): string {
  return signal === null ? `exit code ${exitCode ?? "unknown"}` : `${signal} ended it`;
}

function logText(log: string, marked = (text: string) => text): string {
  const end = log.trim().slice(-SHOWN);
  return end === ""
    ? "It wrote nothing."
    : `The end of its output:\n\n${marked(end.replaceAll(/^/gm, "    "))}`;
}
