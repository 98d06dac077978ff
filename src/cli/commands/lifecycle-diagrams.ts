import { agentMachine } from "../../domain/agents/agent.ts";
import { runMachine } from "../../domain/agents/run.ts";
import { sessionMachine } from "../../domain/agents/session.ts";
import { toMermaid } from "../../domain/kernel/state-machine.ts";
import { goalMachine } from "../../domain/planning/goal.ts";
import { sprintMachine } from "../../domain/planning/sprint.ts";
import { reviewLeaseMachine } from "../../domain/review/review-lease.ts";
import { taskMachine } from "../../domain/tasks/task.ts";

/** The seven machines, each as a Mermaid diagram. */
export const MACHINES = [
  {
    title: "Goal",
    about: "A tracking issue: what its sprints work towards.",
    diagram: toMermaid(goalMachine),
  },
  {
    title: "Sprint",
    about:
      "A milestone: tasks that are worked on together. At CHECKPOINT none of its agents starts or wakes.",
    diagram: toMermaid(sprintMachine),
  },
  {
    title: "Task",
    about:
      "The work asked for by one issue. BLOCKED means that it needs replanning, not that its agent sleeps.",
    diagram: toMermaid(taskMachine),
  },
  {
    title: "Review lease",
    about: "Who reviews a task at the moment.",
    diagram: toMermaid(reviewLeaseMachine),
  },
  {
    title: "Agent",
    about: "One role on one issue, one attempt. It sleeps and wakes, and survives restarts.",
    diagram: toMermaid(agentMachine),
  },
  {
    title: "Run",
    about: "The work of that attempt, from its start to its end. It lives through sleeps.",
    diagram: toMermaid(runMachine),
  },
  {
    title: "Session",
    about:
      "One conversation with the runtime, not the process that it is held in; an awake period is one life of it. It rests in idle (also while the host checks a claim), waiting_approval and paused.",
    diagram: toMermaid(sessionMachine),
  },
];

/** Markers around the generated part of `docs/lifecycles.md`; the rest is written by hand. */
const BEGIN = "<!-- printed by `flotilla diagram`: begin -->";
const END = "<!-- printed by `flotilla diagram`: end -->";

/** Returns the generated diagrams of the seven machines, between the two markers. */
export function lifecycleDiagrams(): string {
  const sections = MACHINES.flatMap(({ title, about, diagram }) => [
    "",
    `## ${title}`,
    "",
    about,
    "",
    "```mermaid",
    diagram,
    "```",
  ]);
  return [BEGIN, ...sections, "", END].join("\n");
}

/** Returns `text` with its generated part renewed. Throws unless each marker occurs once, in order. */
export function withDiagrams(text: string): string {
  const [before, ...rest] = text.split(BEGIN);
  const [, ...after] = rest.join(BEGIN).split(END);
  if (before === undefined || rest.length !== 1 || after.length !== 1)
    throw new Error(`The text must have the lines ${BEGIN} and ${END} once each, in this order.`);
  return `${before}${lifecycleDiagrams()}${after.join("")}`;
}
