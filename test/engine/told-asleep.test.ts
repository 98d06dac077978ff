import { SLEEP_REASONS } from "../../src/domain/agents/agent-record.ts";
import { SLEEPS } from "./truth/of-sleeping.ts";
import { tells } from "./truth/suite.ts";

tells("reason of a sleep", SLEEP_REASONS, SLEEPS);
