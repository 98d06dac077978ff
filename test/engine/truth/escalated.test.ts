import { ESCALATION_CATEGORIES } from "../../../src/domain/tasks/escalation.ts";
import { ESCALATIONS } from "./of-escalating.ts";
import { tells } from "./suite.ts";

tells("kind of trouble", ESCALATION_CATEGORIES, ESCALATIONS);
