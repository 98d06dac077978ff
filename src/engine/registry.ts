import { saveActsOfPeople } from "./agents/acts-of-people.ts";
import { stepAgent, stepRun, stepSession } from "./agents/agent-steps.ts";
import { dropSpentWakes } from "./agents/drop-bare-wakes.ts";
import { wakeWhenFree } from "./agents/resumed-wake.ts";
import { requestRecheck, saveStartWords, saveWakes } from "./agents/save-wakes.ts";
import { saveAttributes } from "./agents/set-attributes.ts";
import { blockersOf } from "./blockers/blockers.ts";
import { attentionFor } from "./breakers/attention.ts";
import { applyDayGrants, budgetFor, saveDayGrants } from "./breakers/day-budget.ts";
import { tooManyAgents } from "./breakers/storm.ts";
import { tryAtOnce } from "./breakers/try-at-once.ts";
import type { Registry } from "./kernel/engine-context.ts";
import { looksBack } from "./lessons/looks-back.ts";
import { leavesQueue } from "./merge-queue/github-queue.ts";
import { noticeAgent, noticeTask } from "./notices/queue-notices.ts";
import { notifyPlanChanges } from "./planning/plan-notifications.ts";
import { followTaskOfSprint, stepGoal, stepSprint } from "./planning/plan-steps.ts";
import { followChange, followMilestone, followOpenedTask } from "./planning/sprint-membership.ts";
import { saveAnswers } from "./questions/answered.ts";
import { saveApprovals } from "./questions/decide-approval.ts";
import { closeApprovals, withdrawQuestions } from "./questions/withdraw.ts";
import { followTask } from "./review/follow-moves.ts";
import { stepReviewLease } from "./review/review-lease-steps.ts";
import { rejectersOf, reviewOf } from "./review/review-of.ts";
import { endAwaitedCalls } from "./sessions/interrupt-calls.ts";
import { holdsOnAgent } from "./status/holds-around.ts";
import { labelNeed } from "./status/needs-human.ts";
import { schedulePullRefresh } from "./tasks/pull-facts.ts";
import { stepTask } from "./tasks/task-steps.ts";

/** The functions that the subjects add to the kernel's transactions. */
export const REGISTRY: Registry = {
  steps: {
    agent: stepAgent,
    run: stepRun,
    session: stepSession,
    task: stepTask,
    review_lease: stepReviewLease,
    sprint: stepSprint,
    goal: stepGoal,
  },
  subscribers: {
    beforeMoves: [followChange],
    afterAgentStep: [
      labelNeed,
      noticeAgent,
      wakeWhenFree,
      dropSpentWakes,
      withdrawQuestions,
      closeApprovals,
      endAwaitedCalls,
      requestRecheck,
      saveStartWords,
    ],
    afterTaskStep: [followTask, followTaskOfSprint, noticeTask, leavesQueue, looksBack],
    afterMove: [followOpenedTask],
    afterMoves: [followMilestone, notifyPlanChanges, schedulePullRefresh],
    saveRows: [saveApprovals, saveWakes, saveDayGrants, saveAnswers, saveAttributes, saveActsOfPeople],
    afterCommit: [applyDayGrants, tryAtOnce],
  },
  guards: {
    held: holdsOnAgent,
    budget: budgetFor,
    review: reviewOf,
    rejectedBy: rejectersOf,
    attention: attentionFor,
    tooManyAgents,
    openBlockers: blockersOf,
  },
};
