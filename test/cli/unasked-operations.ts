import type { Operations } from "../../src/engine/commands/operations.ts";

const refuses = () => Promise.reject(new Error("nobody asks this here"));

/** For tests that ask the engine for little: whatever they do not replace must not be asked. */
export const UNASKED: Operations = {
  send: refuses,
  interrupt: refuses,
  pause: refuses,
  resume: refuses,
  kill: refuses,
  retry: refuses,
  revive: refuses,
  continue: refuses,
  complete: refuses,
  set: refuses,
  wait: refuses,
  drain: refuses,
  drainState: refuses,
  pauseScope: refuses,
  resumeScope: refuses,
  decideCall: refuses,
  steerPlan: refuses,
  replayEffect: refuses,
  replayDelivery: refuses,
  proposeFile: refuses,
  answerQuestion: refuses,
  takeBackApproval: refuses,
  startWork: refuses,
  mergeWork: refuses,
  runSchedule: refuses,
  dayBudgets: refuses,
};
