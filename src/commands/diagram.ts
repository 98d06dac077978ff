import { toMermaid } from "../core/machine.ts";
import { agentMachine } from "../core/machines/agent.ts";
import { runMachine } from "../core/machines/run.ts";
import { sessionMachine } from "../core/machines/session.ts";
import { taskMachine } from "../core/machines/task.ts";
import type { Command } from "./command.ts";

const MACHINES = [
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
    about: "One conversation with the runtime; an awake period is one life of it.",
    diagram: toMermaid(sessionMachine),
  },
  {
    title: "Task",
    about:
      "The work asked for by one issue. Its moves for review, merge and planning come with later versions.",
    diagram: toMermaid(taskMachine),
  },
];

/** `docs/lifecycles.md`, as the tables print themselves. */
export function lifecycles(): string {
  return [
    "# Lifecycles",
    "",
    "Printed from the tables in `src/core/machines/` by `npm run flotilla -- diagram`; a test keeps it fresh. Nothing",
    "changes a state but `src/engine/advance.ts`. An event that a state does not take is a refusal: it changes nothing and",
    "is recorded as a decision with its reason.",
    ...MACHINES.flatMap(({ title, about, diagram }) => [
      "",
      `## ${title}`,
      "",
      about,
      "",
      "```mermaid",
      diagram,
      "```",
    ]),
    "",
  ].join("\n");
}

export const diagram: Command = {
  name: "diagram",
  summary: "print the lifecycles as Mermaid diagrams (docs/lifecycles.md)",
  usage: "flotilla diagram > docs/lifecycles.md",
  details: ["Agent, Run, Session and Task, made from the tables that the program runs on."],
  options: {},
  async run({ print }) {
    print(lifecycles().trimEnd());
    return 0;
  },
};
