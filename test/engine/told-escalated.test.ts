import { ESCALATION_CATEGORIES } from "../../src/domain/tasks/escalation.ts";
import { ESCALATIONS } from "./truth/of-escalating.ts";
import { tells } from "./truth/suite.ts";

tells("kind of trouble", ESCALATION_CATEGORIES, ESCALATIONS);
