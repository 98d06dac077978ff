import { guards } from "./000/guards.ts";
import { payloads } from "./000/payloads.ts";
import { stateProperties } from "./000/properties.ts";
import { statesAndTransitions } from "./000/transitions.ts";
import { turnLimit } from "./000/turn-limit.ts";

statesAndTransitions();
stateProperties();
guards();
payloads();
turnLimit();
