import { AGENT_STATES } from "../../../src/domain/agents/agent-record.ts";
import { STATES } from "./of-states.ts";
import { tells } from "./suite.ts";

tells("state of an agent", AGENT_STATES, STATES);
