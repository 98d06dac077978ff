import { showStates } from "./003/show-states.ts";

// Document 003: the states of one agent of a runtime and what may be asked of it. Its machine is our Session.
showStates();
