import { nothingPlantedRuns } from "./plant-and-look.ts";

nothingPlantedRuns("Nothing planted in the worktree or in the shared git data runs on the host", {
  thorough: false,
  proof: {
    promise: "Nothing planted in a repository makes the host run a program",
    test: "test/adapters/git/planted-vectors.test.ts",
  },
});
