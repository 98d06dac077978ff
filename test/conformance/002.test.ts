import { HEADINGS_002 } from "./002/headings.ts";
import { showDisagreements } from "./002/show-disagreements.ts";
import { showRecord } from "./002/show-record.ts";
import { showRetry } from "./002/show-retry.ts";
import { showRunning } from "./002/show-running.ts";
import { showStates } from "./002/show-states.ts";
import { showTransitions } from "./002/show-transitions.ts";
import { headingsCovered } from "./headings.ts";
import { statusCard } from "./screens.ts";

// Document 002: the states of an agent and the moves between them. Its machine is our Run.
showStates();
showTransitions();
showRecord();
showRunning();
showRetry();
statusCard();
showDisagreements();
headingsCovered(HEADINGS_002);
