import type { ToolAnswer } from "../../../src/domain/ports/agent-runtime.ts";
import type { ToolHost } from "../../../src/domain/ports/tool-host.ts";

/** A host that writes down what it is asked. */
export function recordingHost(answer: () => Promise<ToolAnswer> = async () => ({ ok: true, text: "done" })) {
  const asked: unknown[][] = [];
  const note =
    (method: keyof ToolHost) =>
    (...args: unknown[]): Promise<ToolAnswer> => {
      asked.push([method, ...args]);
      return answer();
    };
  const host: ToolHost = {
    intend: note("intend"),
    askHuman: note("askHuman"),
    submitVerdict: note("submitVerdict"),
    submitPlan: note("submitPlan"),
    output: note("output"),
    writeHandoff: note("writeHandoff"),
    submitEvaluation: note("submitEvaluation"),
    finalizePlan: note("finalizePlan"),
    rescopeTask: note("rescopeTask"),
    supersedeTask: note("supersedeTask"),
    restoreFiles: note("restoreFiles"),
    readIssue: note("readIssue"),
    readPullRequest: note("readPullRequest"),
    checkForEvents: note("checkForEvents"),
    listFleet: note("listFleet"),
    status: note("status"),
  };
  return { host, asked };
}
