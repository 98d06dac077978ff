import { audit } from "./000/audit.ts";
import { disagreements } from "./000/disagreements.ts";
import { errors } from "./000/errors.ts";
import { publishedFields } from "./000/fields.ts";
import { guards } from "./000/guards.ts";
import { HEADINGS } from "./000/headings.ts";
import { ownTests } from "./000/own-tests.ts";
import { payloads } from "./000/payloads.ts";
import { stateProperties } from "./000/properties.ts";
import { publishedEvents } from "./000/published.ts";
import { statesAndTransitions } from "./000/transitions.ts";
import { turnLimit } from "./000/turn-limit.ts";
import { headingsCovered } from "./headings.ts";
import { wireframes } from "./screens.ts";

// Document 000: the lifecycle of one execution. Its machine is our Run.
statesAndTransitions();
stateProperties();
guards();
payloads();
publishedEvents();
publishedFields();
wireframes();
audit();
errors();
turnLimit();
ownTests();
disagreements();
headingsCovered(HEADINGS);
