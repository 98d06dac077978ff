import { statesAndTransitions } from "./000/transitions.ts";

statesAndTransitions();
