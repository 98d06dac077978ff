import { SLEEP_REASONS } from "../../../src/domain/agents/agent-record.ts";
import { SLEEPS } from "./of-sleeping.ts";
import { tells } from "./suite.ts";

tells("reason of a sleep", SLEEP_REASONS, SLEEPS);
