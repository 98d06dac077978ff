import { expect, it } from "vitest";
import { decide } from "../../../src/domain/decide.ts";
import { aView } from "../../factories/a-view.ts";
import { aCommand } from "../../factories/an-occurrence.ts";
import { anAgent } from "../../factories/records.ts";
import { wakesOf } from "./changes-as-text.ts";

const said = (verb: "resume" | "continue", agents: readonly ReturnType<typeof anAgent>[], rest: string) =>
  decide(aCommand(verb, rest), aView({ agents }));
const stopped = anAgent({ state: "SLEEPING", sleepReason: "approval", breaker: "max_turns" });

it("tells each of them what the person says, once", () => {
  const agents = [
    anAgent({ id: 1, state: "SLEEPING", sleepReason: "paused", heldBy: ["person"] }),
    anAgent({ id: 2, state: "ESCALATED" }),
    anAgent({ id: 3, state: "SLEEPING", sleepReason: "retry", heldBy: ["person"] }),
    anAgent({ id: 4, state: "SLEEPING", sleepReason: "blocked", heldBy: ["person"] }),
  ];
  const changes = said("resume", agents, "Use port 80.\n\nNot 81.");
  expect(wakesOf(changes).toSorted()).toEqual([
    "1 message",
    "1 resumed",
    "2 message",
    "2 resumed",
    "3 message",
    "3 resumed",
    "4 message",
  ]);
  expect(changes.wakes.find(({ reason }) => reason === "message")?.detail).toMatch(
    /^@alice says \(https:.+\):\n\nUse port 80\.\n\nNot 81\.$/,
  );
});

it("says what the person says beside the number", () => {
  const [wake] = said("continue", [stopped], "20\n\nUse port 80.").wakes;
  expect(wake?.grant).toMatchObject({ turns: 20 });
  expect(wake?.detail).toMatch(/^@alice says \(https:.+\): continue\.\n\nUse port 80\.$/);
  expect(said("continue", [stopped], "20").wakes[0]?.detail).toBe("@alice says: continue.");
});
