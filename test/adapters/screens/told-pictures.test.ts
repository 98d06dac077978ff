import { describe, expect, test } from "vitest";
import { compareShots, readShot } from "../../../src/adapters/pictures/shots.ts";
import { createCamera } from "../../../src/adapters/screens/camera.ts";

const PICTURES = { read: readShot, compare: compareShots };
const camera = createCamera(PICTURES);

const RESULT = {
  exitCode: 1,
  signal: null,
  timedOut: false,
  output: "",
  durationMs: 1,
  refusedHosts: [],
  refusals: [],
};
const WANTED = [{ url: "http://localhost:3000/", width: 400, height: 300 }];

describe("what the sandbox prints about pictures", () => {
  test.each([
    ["", "the browser ended before its turn (exit code 1)"],
    ["cannot open display\n", "the browser ended before its turn (exit code 1): cannot open display"],
    ['{"at":0,"png":7}\n', 'the browser ended before its turn (exit code 1): {"at":0,"png":7}'],
    ['{"at":9,"fault":"x"}\n', 'the browser ended before its turn (exit code 1): {"at":9,"fault":"x"}'],
    ['{"at":0,"fault":"it cannot be opened"}\n', "it cannot be opened"],
    ['{"at":0,"png":"AAAA"}\n', "its picture cannot be read"],
  ])("is a picture or a reason: %j", async (output, fault) => {
    expect(await camera.shots(WANTED, { ...RESULT, output })).toEqual([{ fault }]);
  });

  test("ends early where the time is over", async () => {
    expect(await camera.shots(WANTED, { ...RESULT, timedOut: true })).toEqual([
      { fault: "the time for all pictures was over before its turn" },
    ]);
  });
});

test("a host without Chromium says so", () => {
  expect(createCamera(PICTURES, { places: ["/nowhere/chromium"] }).version()).toBeNull();
});
