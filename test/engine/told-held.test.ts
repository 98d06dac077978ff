import { HOLDS } from "./truth/of-holds.ts";
import { tells } from "./truth/suite.ts";

tells("hold", Object.keys(HOLDS), HOLDS);
