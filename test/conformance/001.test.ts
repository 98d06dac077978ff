import { agents } from "./001/agents.ts";
import { disagreements } from "./001/disagreements.ts";
import { exits } from "./001/exits.ts";
import { operatorFiles } from "./001/files.ts";
import { goalAndSprint } from "./001/goal-and-sprint.ts";
import { handoff } from "./001/handoff.ts";
import { HEADINGS } from "./001/headings.ts";
import { invariants } from "./001/invariants.ts";
import { reviewLease } from "./001/review-lease.ts";
import { taskRequirements } from "./001/task-requirements.ts";
import { taskTransitions } from "./001/task-transitions.ts";
import { headingsCovered } from "./headings.ts";

// Document 001: the board of a team of agents. Its machines are our Task, review lease, Agent, Goal and Sprint.
taskTransitions();
taskRequirements();
reviewLease();
agents();
goalAndSprint();
exits();
operatorFiles();
handoff();
invariants();
disagreements();
headingsCovered(HEADINGS);
