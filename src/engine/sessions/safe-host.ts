import type { ToolHost } from "../../domain/ports/tool-host.ts";
import {
  type Speaker,
  safeEvaluation,
  safeHandoff,
  safeIntent,
  safeOutput,
  safePlan,
  safeQuestion,
  safeReason,
  safeVerdict,
} from "../../domain/sessions/safe-outputs.ts";

/**
 * The same host, which hears nothing of the agent but what may stand on GitHub: the one door between what a model says
 * and what is decided, kept, counted and put out. Spread nowhere, so that a new tool finds its way through here.
 */
export function safeHost(host: ToolHost, speaker: Speaker): ToolHost {
  return {
    intend: (intent) => host.intend(safeIntent(intent, speaker)),
    askHuman: (asked) => host.askHuman(safeQuestion(asked, speaker)),
    submitVerdict: (given) => host.submitVerdict(safeVerdict(given, speaker)),
    submitPlan: (plan) => host.submitPlan(safePlan(plan)),
    output: (output, callId) => host.output(safeOutput(output, speaker), callId),
    writeHandoff: (handoff) => host.writeHandoff(safeHandoff(handoff)),
    submitEvaluation: (evaluation) => host.submitEvaluation(safeEvaluation(evaluation, speaker)),
    finalizePlan: () => host.finalizePlan(),
    rescopeTask: ({ issue, reason }) => host.rescopeTask({ issue, reason: safeReason(reason, speaker) }),
    supersedeTask: ({ issue, by, reason }) =>
      host.supersedeTask({ issue, by, reason: safeReason(reason, speaker) }),
    restoreFiles: (paths) => host.restoreFiles(paths),
    readIssue: (number) => host.readIssue(number),
    readPullRequest: (number) => host.readPullRequest(number),
    checkForEvents: () => host.checkForEvents(),
    listFleet: () => host.listFleet(),
    status: () => host.status(),
  };
}
