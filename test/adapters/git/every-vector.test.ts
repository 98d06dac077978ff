import { nothingPlantedRuns } from "./plant-and-look.ts";

nothingPlantedRuns("Nothing planted runs on the host at any operation", {
  thorough: true,
  proof: {
    promise: "The same holds before each single operation of ours that runs git",
    test: "test/adapters/git/every-vector.test.ts",
  },
});
