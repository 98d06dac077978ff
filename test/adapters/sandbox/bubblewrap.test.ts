import { describeRunner } from "../../contracts/runner.ts";
import { confinedRunner, describeConfined } from "./bubblewrap-here.ts";

describeConfined("bubblewrap", () => {
  describeRunner("bubblewrap", confinedRunner);
});
