import { HEADINGS_004 } from "./004/headings.ts";
import { showActions } from "./004/show-actions.ts";
import { showDisagreements } from "./004/show-disagreements.ts";
import { showMoves } from "./004/show-moves.ts";
import { showRecord } from "./004/show-record.ts";
import { headingsCovered } from "./headings.ts";

// Document 004: an issue becomes an agent, which sleeps, wakes and ends. Its machine is our Agent.
showMoves();
showActions();
showRecord();
showDisagreements();
headingsCovered(HEADINGS_004);
