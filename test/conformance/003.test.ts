import { HEADINGS_003 } from "./003/headings.ts";
import { showArrows } from "./003/show-arrows.ts";
import { showEngine } from "./003/show-engine.ts";
import { showOperations } from "./003/show-operations.ts";
import { showStates } from "./003/show-states.ts";
import { headingsCovered } from "./headings.ts";

// Document 003: the states of one agent of a runtime and what may be asked of it. Its machine is our Session.
showStates();
showOperations();
showEngine();
showArrows();
headingsCovered(HEADINGS_003);
