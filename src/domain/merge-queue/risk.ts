import { protectedFiles } from "../evidence/protected-paths.ts";
import { times } from "../messages/format.ts";
import { inlineCode } from "../messages/inline-code.ts";
import type { Change } from "../ports/worktrees.ts";
import { type CodeOwners, ownersOf } from "./code-owners.ts";
import { isCode, kindOfPath } from "./risk-of-path.ts";
import { isTestPath, type TestPlaces, testPlaces } from "./test-places.ts";

/** The highest score. `merge.max_risk` is below it, so such work always waits for a person. */
export const MOST_RISK = 100;

/** What Flotilla itself knows of work that could be merged; nothing here comes from its agent. */
export interface RiskFacts {
  /** Read by git between the base branch and the head; null where it could not be read. */
  readonly change: Change | null;
  /** What the base commit has of `patternsOfTests`: they say where tests were before this work. */
  readonly filesBefore: readonly string[];
  /** `policy.protected_paths`. */
  readonly protectedPaths: readonly string[];
  /** Flotilla found that the work may weaken the tests, even if a person approved that. */
  readonly weakensTests: boolean;
  /** Acceptance commands that Flotilla ran on this work with exit code 0. */
  readonly proved: number;
  /** Null where the base branch has no CODEOWNERS file. */
  readonly owners: CodeOwners | null;
  /** Logins of people whose latest review on GitHub approves. */
  readonly approvedBy: readonly string[];
  /** How often the merge of this work has failed before. */
  readonly failures: number;
}

/** A score from 0 to `MOST_RISK`, and what it consists of, the largest part first. */
export interface Risk {
  readonly score: number;
  readonly reasons: readonly string[];
}

/** A risk, and the highest one at which Flotilla merges the work (`merge.max_risk`). */
export interface LimitedRisk extends Risk {
  readonly most: number;
}

/** Returns whether a person has to merge the work. */
export const isAbove = ({ score, most }: LimitedRisk): boolean => score > most;

interface Part {
  readonly points: number;
  readonly reason: string;
}

const NOTHING: readonly Part[] = [];

/**
 * Returns how risky it is to merge work without a person. Equal facts have equal scores; more lines, files, reverts or
 * failures never have a lower one.
 */
export function riskOfMerge(facts: RiskFacts): Risk {
  const { change } = facts;
  if (change === null)
    return { score: MOST_RISK, reasons: ["what it changes could not be read, or is too much to read"] };
  const paths = change.files.map(({ path }) => path);
  const places = testPlaces(paths, facts.filesBefore);
  const parts = [
    ...pathPart(paths, places, facts.protectedPaths),
    ...linesPart(change),
    ...filesPart(paths),
    ...testParts(paths, places, facts),
    ...ownerPart(paths, facts),
    ...revertPart(change),
    ...failurePart(facts),
  ].toSorted((one, other) => other.points - one.points);
  const sum = parts.reduce((total, { points }) => total + points, 0);
  return { score: Math.min(MOST_RISK, sum), reasons: parts.map(({ reason }) => reason) };
}

function pathPart(
  paths: readonly string[],
  places: TestPlaces,
  patterns: readonly string[],
): readonly Part[] {
  const [guarded] = protectedFiles(paths, patterns);
  if (guarded !== undefined)
    return [{ points: MOST_RISK, reason: `it changes the protected path ${inlineCode(guarded)}` }];
  const kinds = paths.map((path) => ({ path, ...kindOfPath(path, places) }));
  const [first] = kinds.toSorted((one, other) => other.points - one.points);
  if (first === undefined || first.points === 0) return NOTHING;
  return [{ points: first.points, reason: `it changes ${first.words} ${inlineCode(first.path)}` }];
}

/** Steps of a score: `[most, points]`, for all up to `most`. */
type Steps = readonly (readonly [most: number, points: number])[];

const LINES: Steps = [
  [10, 0],
  [50, 3],
  [100, 6],
  [200, 10],
  [400, 15],
  [800, 22],
  [1500, 30],
  [Number.POSITIVE_INFINITY, 40],
];
const FILES: Steps = [
  [3, 0],
  [10, 3],
  [25, 8],
  [60, 15],
  [Number.POSITIVE_INFINITY, 25],
];
/** What a binary file counts as, because nobody can read its lines. */
const LINES_OF_BINARY = 200;

const pointsAt = (steps: Steps, amount: number): number =>
  steps.find(([most]) => amount <= most)?.[1] ?? MOST_RISK;

function linesPart({ files }: Change): readonly Part[] {
  const lines = files.reduce((sum, file) => sum + (file.lines ?? LINES_OF_BINARY), 0);
  const binary = files.filter((file) => file.lines === null).length;
  const points = pointsAt(LINES, lines);
  if (points === 0) return NOTHING;
  const also =
    binary === 0
      ? ""
      : `, where ${binary} binary ${binary === 1 ? "file counts" : "files count"} as ${LINES_OF_BINARY} each`;
  return [{ points, reason: `it changes ${lines} lines${also}` }];
}

function filesPart(paths: readonly string[]): readonly Part[] {
  const points = pointsAt(FILES, paths.length);
  return points === 0 ? NOTHING : [{ points, reason: `it changes ${paths.length} files` }];
}

function testParts(
  paths: readonly string[],
  places: TestPlaces,
  { weakensTests, proved }: RiskFacts,
): readonly Part[] {
  const isUntested =
    paths.some((path) => isCode(kindOfPath(path, places))) && !paths.some((path) => isTestPath(path, places));
  return [
    ...(weakensTests ? [{ points: 30, reason: "it may weaken the tests" }] : NOTHING),
    ...(isUntested ? [{ points: 15, reason: "it changes code and no test" }] : NOTHING),
    ...(proved > 0 ? NOTHING : [{ points: 15, reason: "no acceptance command has succeeded on it" }]),
  ];
}

/** Changed files whose owners are looked up. */
const MOST_OWNED = 300;

/** The owners of a team are not known here, so only a person who is named can approve as an owner. */
function ownerPart(paths: readonly string[], { owners, approvedBy }: RiskFacts): readonly Part[] {
  const points = 15;
  if (owners === null) return NOTHING;
  const found = owners === "too_long" || paths.length > MOST_OWNED ? "too_long" : ownersOf(paths, owners);
  if (found === "too_long")
    return [{ points, reason: "CODEOWNERS or the list of its files is too long to find the owners" }];
  const approved = new Set(approvedBy.map((login) => `@${login.toLowerCase()}`));
  const without = [...found].find(([, named]) => !named.some((owner) => approved.has(owner.toLowerCase())));
  if (without === undefined) return NOTHING;
  const [path, named] = without;
  return [{ points, reason: `no owner of ${inlineCode(path)} approved it (${inlineCode(named.join(" "))})` }];
}

function revertPart({ reverted }: Change): readonly Part[] {
  const [first] = reverted;
  if (first === undefined) return NOTHING;
  const more = reverted.length - 1;
  const others = more === 0 ? "" : ` and ${more} more of its files`;
  return [
    {
      points: more === 0 ? 10 : 20,
      reason: `a commit that changed ${inlineCode(first)}${others} was reverted not long ago`,
    },
  ];
}

function failurePart({ failures }: RiskFacts): readonly Part[] {
  if (failures === 0) return NOTHING;
  return [{ points: Math.min(10, 5 * failures), reason: `its merge failed ${times(failures)} before` }];
}
