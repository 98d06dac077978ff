import { z } from "zod";
import { sanitizers } from "../../domain/safe-text/sanitizers.ts";
import { PLAN_TOOL } from "../../domain/sessions/tool-names.ts";
import { leavePlanning } from "../planning/leave-planning.ts";
import { askForPlan, needsPlan } from "../planning/plan-first.ts";
import { text } from "./arguments.ts";
import { defineTool, toolRefusal, toolSuccess } from "./define-tool.ts";

/**
 * Stores the plan with the run and ends planning, or adapting after a refused claim. Where a plan comes
 * first, a person is asked about it.
 */
export const submitPlan = defineTool({
  name: PLAN_TOOL,
  description:
    "Say what you are going to do, once you have read enough and before you change anything. People see the plan, and you can read it later. Your turn goes on: continue at once. Without it, planning ends with your first change.",
  purpose:
    "tell people the plan, before anything is changed; with `plan_first` or the label `plan` a person approves it first",
  schema: z.strictObject({
    plan: text(8000, "The steps in order, and how each will be shown to be right"),
  }),
  kind: "note",
  terminal: false,
  sanitize: { plan: sanitizers.visible },
  run: async ({ plan }, { context, agent }) => {
    if (await needsPlan(context, agent.id)) return askForPlan(context, agent, plan);
    switch (await leavePlanning(context, agent, plan)) {
      case "executing":
        return toolSuccess("Your plan is recorded. Continue with its first step.");
      case "kept":
        return toolRefusal("Planning is over already; continue with the work.");
      case "fenced":
        return toolRefusal("Your period is over; nothing was recorded.");
    }
  },
});
