import type { Journey } from "../journeys/journey.ts";
import { until } from "../journeys/until.ts";
import { WRITER } from "./people.ts";

const NO: Readonly<Record<string, string>> = {
  approval: "/flotilla deny no",
  question: "/flotilla answer no",
};
const SECONDS = 500;

/** Until each of so many agents has done all that it was told and asks for a person; one that is held before is told no. */
export async function untilDone(journey: Journey, agents: number): Promise<void> {
  const told = new Set<string>();
  await until(
    "all have done as told",
    async () => {
      for (const { issue, sleep_reason: why, token } of journey.rows(
        "SELECT issue, sleep_reason, token FROM agent WHERE state = 'SLEEPING'",
      )) {
        const held = `${String(issue)}:${String(token)}`;
        const no = NO[String(why)];
        if (no === undefined || told.has(held)) continue;
        told.add(held);
        await journey.github.as(WRITER).comment(Number(issue), no);
      }
      const ended = journey.rows("SELECT 1 FROM agent WHERE state NOT IN ('CREATED', 'ACTIVE', 'SLEEPING')");
      return ended.length >= agents;
    },
    SECONDS,
  );
}
