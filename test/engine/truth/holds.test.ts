import { HOLDS } from "./of-holds.ts";
import { tells } from "./suite.ts";

tells("hold", Object.keys(HOLDS), HOLDS);
