import { worktreesContract } from "../../contracts/worktrees.ts";
import { realHarness } from "./real-harness.ts";

worktreesContract("The git adapter", realHarness);
