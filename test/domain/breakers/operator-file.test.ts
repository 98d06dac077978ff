import { expect, it } from "vitest";
import {
  BY_FILE,
  heldOn,
  holdingFiles,
  isHeldElsewhere,
  isStoppedByFile,
  stopsByFile,
} from "../../../src/domain/breakers/operator-file.ts";

const SINCE = 100;
const NOW = 200;
const stopped = (at: number, actor = BY_FILE) => ({ event: "CHECKPOINT", at, actor });
const continued = (at: number, actor = "alice") => ({ event: "CONTINUE", at, actor });

const named = (...files: ("PAUSE" | "CHECKPOINT" | "ABORT")[]) =>
  holdingFiles(new Map(files.map((file) => [file, SINCE])));

it("names the files that hold all agents", () => {
  expect(named()).toBeNull();
  expect(named("CHECKPOINT")).toBeNull();
  expect(named("PAUSE", "CHECKPOINT")).toBe("the file PAUSE");
  expect(named("ABORT")).toBe("the file ABORT");
  expect(named("ABORT", "PAUSE")).toBe("the files PAUSE and ABORT");
});

it.each([
  ["was never stopped", [], true],
  ["was stopped by this file and continued by a person", [stopped(SINCE), continued(120)], false],
  ["was stopped by another and continued since then", [stopped(50, "bob"), continued(SINCE)], false],
  ["a person opened since then", [{ event: "OPEN", at: 120, actor: "alice" }], true],
  ["was stopped by an earlier file", [stopped(SINCE - 1)], true],
  ["was continued before this file was there", [stopped(50), continued(SINCE - 1)], true],
  ["continued when an earlier file was removed", [stopped(50), continued(SINCE, BY_FILE)], true],
  ["was stopped and continued by people before", [stopped(50, "bob"), continued(60)], true],
  ["was continued before the clock was set back", [stopped(50), continued(NOW + 1)], true],
])("a running sprint that %s: the file stops it %#", (_, moves, stops) => {
  expect(stopsByFile(moves, SINCE, NOW)).toBe(stops);
});

it("the last stop decides whether the removal of the file lets the sprint continue", () => {
  expect(isStoppedByFile([])).toBe(false);
  expect(isStoppedByFile([stopped(1)])).toBe(true);
  expect(isStoppedByFile([stopped(1), continued(2), stopped(3, "bob")])).toBe(false);
  expect(isStoppedByFile([stopped(1, "flotilla"), continued(2), stopped(3)])).toBe(true);
});

it.each([
  [null, false],
  ["the file PAUSE", false],
  [heldOn("the file PAUSE", "build-7"), false],
  [heldOn("the files PAUSE and ABORT", "build-8"), true],
  [heldOn("the file PAUSE", "7"), true],
])(
  "with a pause for the reason %j, another machine than build-7 holds the agents: %j",
  (reason, elsewhere) => {
    expect(isHeldElsewhere(reason, "build-7")).toBe(elsewhere);
  },
);
