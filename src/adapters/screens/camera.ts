import { existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import type { Camera, Shot, ShotDifference, ShotFault } from "../../domain/ports/camera.ts";
import type { CommandResult } from "../../domain/ports/runner.ts";
import { bundledFile } from "../../domain/settings/bundled-file.ts";

/** Where distributions install Chromium itself. What is in PATH is a script, which reads settings that are not seen inside. */
const PLACES = [
  "/usr/lib/chromium/chromium",
  "/usr/lib64/chromium-browser/chromium-browser",
  "/usr/lib/chromium-browser/chromium-browser",
];
const SCRIPT = fileURLToPath(bundledFile("inside/shoot.ts", import.meta.url));
/** Without it no font is found. */
const FONTS = "/etc/fonts";
/** In the sandbox's own /tmp, which ends with it. */
const PROFILE = "/tmp/flotilla-browser";

const MOST_SHOT = 2 * 1024 * 1024;

/** See `Limits` in `inside/shoot-page.ts`. */
const LIMITS = { loadMs: 15_000, settleMs: 5_000, drawMs: 10_000, most: MOST_SHOT };

const told = z.union([
  z.object({ at: z.int(), png: z.string().max((MOST_SHOT * 4) / 3 + 4) }),
  z.object({ at: z.int(), fault: z.string() }),
]);

/** Decodes and re-encodes pictures. */
interface Pictures {
  readonly read: (
    png: Uint8Array,
    size: { readonly width: number; readonly height: number },
  ) => Promise<Shot | ShotFault>;
  readonly compare: (before: Uint8Array, after: Uint8Array) => Promise<ShotDifference | ShotFault>;
}

/** Creates what takes pictures of pages with the host's Chromium. */
export function createCamera(
  pictures: Pictures,
  {
    places = PLACES,
    limits = LIMITS,
  }: { readonly places?: readonly string[]; readonly limits?: typeof LIMITS } = {},
): Camera {
  const browser = () => places.find((path) => existsSync(path));
  return {
    version() {
      const path = browser();
      if (path === undefined) return null;
      const { size, mtimeMs } = statSync(path);
      return `${path} ${size} ${Math.trunc(mtimeMs)}`;
    },
    readyAt: (port) =>
      `"${process.execPath}" -e "require('node:net').connect(${port},'localhost').on('connect',()=>process.exit()).on('error',()=>process.exit(1))"`,
    command: (wanted) => {
      const plan = { chromium: browser() ?? PLACES[0], profile: PROFILE, pages: wanted, limits };
      return {
        file: process.execPath,
        // SIGUSR1 would open node's debugger to the app.
        args: ["--disable-sigusr1", SCRIPT, JSON.stringify(plan)],
        readable: [dirname(SCRIPT), ...(existsSync(FONTS) ? [FONTS] : [])],
        mostOutput: wanted.length * (MOST_SHOT * 1.4),
      };
    },
    shots: async (wanted, result) => {
      const heard = new Map(
        result.output.split("\n").flatMap((line) => {
          const one = told.safeParse(parsed(line)).data;
          return one === undefined ? [] : [[one.at, one] as const];
        }),
      );
      const shots: (Shot | ShotFault)[] = [];
      for (const [at, size] of wanted.entries()) {
        const one = heard.get(at);
        if (one === undefined) shots.push({ fault: notReached(result) });
        else
          shots.push(
            "png" in one ? await pictures.read(Buffer.from(one.png, "base64"), size) : { fault: one.fault },
          );
      }
      return shots;
    },
    compare: (before, after) => pictures.compare(before.bytes, after.bytes),
  };
}

function notReached({ timedOut, exitCode, signal, output }: CommandResult): string {
  if (timedOut) return "the time for all pictures was over before its turn";
  const last = output.trim().split("\n").at(-1)?.slice(-300) ?? "";
  return `the browser ended before its turn (${signal ?? `exit code ${exitCode ?? "unknown"}`})${last === "" ? "" : `: ${last}`}`;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
