import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { expect, onTestFinished, test } from "vitest";
import { compareShots, readShot } from "../../../src/adapters/pictures/shots.ts";
import { createCamera } from "../../../src/adapters/screens/camera.ts";
import type { Shot, ShotFault } from "../../../src/domain/ports/camera.ts";
import { runBeside } from "../../../src/engine/services/run-beside.ts";
import { portOf } from "../../listening.ts";
import { realClock } from "../runtimes/real-harness.ts";
import { confinedRunner } from "../sandbox/bubblewrap-here.ts";
import { describeWithCamera } from "./camera-here.ts";

const PICTURES = { read: readShot, compare: compareShots };
const LIMITS = { loadMs: 4_000, settleMs: 1_000, drawMs: 3_000, most: 2 * 1024 * 1024 };
const camera = createCamera(PICTURES, { limits: LIMITS });

const SIZE = { width: 400, height: 300 };
const PORT = 3000;
const BLUE = [0, 0, 255];

/** Takes pictures of pages of the app in the sandbox, as the engine does. */
async function taken(paths: readonly string[], { hostPort = 1 } = {}) {
  const directory = mkdtempSync(join(tmpdir(), "flotilla-camera-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  cpSync(join(import.meta.dirname, "hostile-app.js"), join(directory, "app.mjs"));
  const runner = confinedRunner(realClock);
  const host = await runner.services();
  const wanted = paths.map((path) => ({ url: `http://localhost:${PORT}${path}`, ...SIZE }));
  const { file, args, readable, mostOutput } = camera.command(wanted);
  const run = `"${process.execPath}" app.mjs ${PORT} ${hostPort}`;
  const app = { run, ready: camera.readyAt(PORT), withinMs: 20_000, env: {} };
  const { result, failures } = await runBeside(realClock, host, {
    services: [{}, { app }],
    directory: join(directory, "services"),
    signal: new AbortController().signal,
    run: (signal) =>
      runner.run(
        { file, args, cwd: directory, env: { PATH: "/usr/bin:/bin", HOME: directory, TZ: "UTC" } },
        {
          writable: [directory],
          readable,
          hosts: [],
          registries: false,
          services: host,
          mark: `camera-${directory}`,
          timeoutMs: 120_000,
          signal,
          maxOutputBytes: mostOutput,
        },
      ),
  });
  expect(failures).toEqual([]);
  if (result === null) throw new Error("it was not run");
  return { shots: await camera.shots(wanted, result), left: readdirSync(directory) };
}

/** Returns the colour in the middle of a picture, or why there is none. */
async function seen(shot: Shot | ShotFault | undefined) {
  if (shot === undefined || "fault" in shot) return shot?.fault;
  const pixels = await sharp(shot.bytes).raw().toBuffer();
  const at = (SIZE.height / 2 - 1) * SIZE.width * 3 + SIZE.width * 1.5;
  return [...pixels.subarray(at, at + 3)];
}

describeWithCamera("pictures of pages", { timeout: 120_000 }, () => {
  test("of the same page are the same, though it moves by itself, and another page's differs", async () => {
    const { shots } = await taken(["/", "/", "/blue"]);
    const [one, again, other] = shots;
    if (one === undefined || !("bytes" in one)) throw new Error(`no picture: ${one?.fault}`);
    if (again === undefined || !("bytes" in again)) throw new Error("no picture");
    if (other === undefined || !("bytes" in other)) throw new Error("no picture");
    expect(await camera.compare(one, again)).toMatchObject({ changed: 0 });
    expect(await camera.compare(one, other)).toMatchObject({ changed: expect.closeTo(1, 1) });
    const { data, info } = await sharp(one.bytes).raw().toBuffer({ resolveWithObject: true });
    expect(info).toMatchObject(SIZE);
    // Fonts are found: without them the heading is empty.
    const heading = data.subarray(0, SIZE.width * 3 * 50);
    expect(heading.filter((value) => value < 100).length).toBeGreaterThan(300);
  });

  test("show nothing of another host, of the host's ports or of its files", async () => {
    let visits = 0;
    const server = createServer((_, response) => {
      visits += 1;
      response.end("Flotilla");
    });
    const hostPort = await portOf(server);
    const paths = [
      "/to-file",
      "/script-to-file",
      "/frame-of-file",
      "/to-cloud",
      "/script-to-cloud",
      "/to-host",
    ];
    const { shots } = await taken(paths, { hostPort });
    expect(await Promise.all(shots.map(seen))).toEqual([
      "it cannot be opened: net::ERR_UNSAFE_REDIRECT",
      BLUE,
      BLUE,
      "it cannot be opened: net::ERR_INTERNET_DISCONNECTED",
      "it leads to http://169.254.169.254/latest/meta-data/, which cannot be opened here",
      "it cannot be opened: net::ERR_CONNECTION_REFUSED",
    ]);
    expect(visits).toBe(0);
  });

  test("are taken beside windows, dialogs and sizes of any kind, and a page that ends never keeps no other waiting", async () => {
    const paths = [
      "/popups",
      "/dialogs",
      "/tall",
      "/download",
      "/endless-dialogs",
      "/endless-reload",
      "/endless-script",
      "/silent",
      "/large",
      "/blue",
    ];
    const { shots, left } = await taken(paths);
    expect(await Promise.all(shots.map(seen))).toEqual([
      BLUE,
      BLUE,
      BLUE,
      "it cannot be opened: net::ERR_ABORTED",
      "it opens one dialog after the other",
      expect.stringMatching(/^it (?:did not load within 4|could not be drawn within 3) s$/),
      "it did not load within 4 s",
      "it did not answer within 4 s",
      expect.stringMatching(/^it (?:did not load within 4|could not be drawn within 3) s$|255/),
      BLUE,
    ]);
    // The browser leaves nothing where the host looks.
    expect(left.toSorted()).toEqual(["app.mjs", "services"]);
  });
});
