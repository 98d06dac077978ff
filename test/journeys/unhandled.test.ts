import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { leaksIn } from "../leaks-in.ts";
import { aScenario } from "./a-scenario.ts";
import { startJourney } from "./journey.ts";
import { until } from "./until.ts";

const MODEL_API_KEY = randomBytes(24).toString("base64url");
/** Simulates a bug of ours, triggered by a signal: an unhandled rejection whose error contains a key. */
const FAULT = `process.on("SIGUSR2", () => void Promise.reject(new Error("no answer for " + process.env.MODEL_API_KEY)));`;

it("a process that ends with an unhandled error logs one line about it, without secrets", async ({
  onTestFinished,
}) => {
  const journey = await startJourney({
    scenario: aScenario({ conversations: [] }),
    // Printed even if nothing else is logged.
    env: {
      MODEL_API_KEY,
      LOG_LEVEL: "silent",
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(FAULT)}`,
    },
  });
  onTestFinished(() => journey.close());
  const served = journey.served();
  const before = served.log();
  expect(await served.stop("SIGUSR2")).toBe(1);
  const said = await until("its last line", () => {
    const more = served.log().slice(before.length);
    return more.endsWith("\n") && more;
  });
  const lines = said.trimEnd().split("\n");
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({
    level: "error",
    msg: "process ended: unhandled error",
    error: { type: "Error", message: expect.stringMatching(/^no answer for \[redacted/) },
    next: expect.stringContaining("start it again"),
  });
  expect(leaksIn(said, { MODEL_API_KEY })).toEqual([]);
});
