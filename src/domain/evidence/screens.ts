import { untrusted } from "../conversation/untrusted.ts";
import { duration } from "../messages/format.ts";
import { inlineCode } from "../messages/inline-code.ts";
import type { ServiceFailure } from "../services/service.ts";
import { howServiceEnded } from "../services/service-texts.ts";
import type { Screens } from "../settings/screens-setting.ts";
import type { Settings } from "../settings/settings.ts";
import { setupFacts } from "./setup.ts";

/** What is shown of one page in one size: before an agent's work, after it, and how these differ. */
export interface ScreenRow {
  readonly id: number;
  readonly agentId: number;
  readonly commit: string;
  /** The commit that the work is based on. */
  readonly baseCommit: string | null;
  /** That of `screenFacts`: pictures of other settings or another browser are not compared. */
  readonly digest: string;
  /** The page's name, and its size as `1280x800`. */
  readonly page: string;
  readonly size: string;
  /** Why there is no picture; null where there is one. */
  readonly beforeFault: string | null;
  readonly afterFault: string | null;
  /** The share of pixels that changed, 0 to 1; null where it could not be compared. */
  readonly changed: number | null;
  readonly createdAt: number;
}

/** A row's pictures as they are taken, lossless WebP; null where there is none. */
export type TakenScreen = Pick<ScreenRow, "page" | "size" | "beforeFault" | "afterFault" | "changed"> & {
  readonly [P in ScreenPicture]: Uint8Array | null;
};

/** Which of the pictures of a row. */
export const SCREEN_PICTURES = ["before", "after", "difference"] as const;
export type ScreenPicture = (typeof SCREEN_PICTURES)[number];

/** Returns whether the row has this picture: a difference, where something changed. */
export function hasPicture({ beforeFault, afterFault, changed }: Compared, which: ScreenPicture): boolean {
  if (which === "difference") return changed !== null && changed > 0;
  return (which === "before" ? beforeFault : afterFault) === null;
}

type Compared = Pick<ScreenRow, "beforeFault" | "afterFault" | "changed">;

/** The name under which the app runs beside the services of a repository; none of theirs has a dot. */
export const SCREEN_APP = "screens.app";

/** Returns each page in each size, in the order in which people see them. */
export function screensWanted({ port, pages, sizes }: Screens) {
  return pages.flatMap(({ name, path }) =>
    sizes.map((size) => {
      const [width = 0, height = 0] = size.split("x").map(Number);
      return { page: name, size, url: `http://localhost:${port}${path}`, width, height };
    }),
  );
}

/** Returns what decides what a commit's pictures show, besides the commit. */
export function screenFacts(
  settings: Pick<Settings, "setup" | "services">,
  screens: Screens,
  browser: string,
) {
  return [screens, settings.services, setupFacts(settings.setup), browser];
}

/** Returns why the app did not start, for people and for the agent. `log` is cleaned already. */
export function notStartedText({ name, service, end, log }: ServiceFailure): string {
  const what = name === SCREEN_APP ? "the app" : `the service ${inlineCode(name)}`;
  const last = log.trim().slice(-600);
  const why =
    end === null
      ? `was not ready within ${duration(service.withinMs)}`
      : `ended (${howServiceEnded(end)}) before it was ready; it must stay in the foreground`;
  return `${what}, ${inlineCode(service.run)}, ${why}${last === "" ? ". It wrote nothing." : `. The end of its output: ${last}`}`;
}

/** Returns how much changed, for people: "3.2 % of its pixels changed". */
export function changedText({ beforeFault, afterFault, changed }: Compared): string {
  if (afterFault !== null) return `no picture: ${afterFault}`;
  if (beforeFault !== null) return `no picture of it before: ${beforeFault}`;
  if (changed === null) return "its pictures could not be compared";
  return changed === 0 ? "nothing changed" : `${percent(changed)} of its pixels changed`;
}

function percent(share: number): string {
  if (share < 0.001) return "less than 0.1 %";
  return `${(share * 100).toFixed(1)} %`;
}

/** Returns what the agent and its reviewer read about the pictures of a commit; none where there are no pictures. */
export function screensNews(rows: readonly ScreenRow[], commit: string | null): readonly string[] {
  const lines = rows
    .filter((row) => row.commit === commit)
    .map((row) => `- ${row.page}, ${row.size}: ${changedText(row)}`);
  if (lines.length === 0) return [];
  const intro =
    "Flotilla took pictures of the app at this commit and compared them with those of its base. People see them; they decide nothing:";
  return [`${intro}\n\n${untrusted(lines.join("\n"))}`];
}
