import type { TreeFile } from "../ports/worktrees.ts";
import type { GivenFile } from "./given-file.ts";
import { type Skill, type SkillEntry, type SkillFile, unreadSkill } from "./skill.ts";

/** Where a repository keeps skills; of two with the same name that of the first folder counts. */
const FOLDERS = [".github/skills", ".agents/skills", ".claude/skills"];

/** The paths of all their files, as `protectedAmong` and `Worktrees.filesAt` read patterns. */
export const SKILL_PATTERNS: readonly string[] = FOLDERS.map((folder) => `${folder}/**`);
/** Those, and a link in the place of a folder. */
export const SKILL_ENTRIES: readonly string[] = [...FOLDERS, ...SKILL_PATTERNS];

/** The most skills of one agent, and the characters of their descriptions: all stand in its prompt. */
const MOST_SKILLS = 20;
const MOST_DESCRIBED = 8000;

/** Enough entries to tell which folders there are; those that come later by their path are not known. */
export const MOST_SKILL_ENTRIES = 10_000;

/** A folder of a repository that may be a skill. */
export interface SkillFolder {
  readonly name: string;
  readonly path: string;
  readonly entries: readonly (SkillEntry & { readonly blob: string })[];
}

/** A skill that is not given, with the reason as the end of a sentence about it. */
export interface SkillLeftOut {
  readonly path: string;
  readonly note: string;
}

/** Sorts the files of a commit into folders to read, and what is left out. `taken` = names of the operator's skills. */
export function skillFolders(
  files: readonly TreeFile[],
  taken: readonly string[],
): { readonly wanted: readonly SkillFolder[]; readonly leftOut: readonly SkillLeftOut[] } {
  const leftOut: SkillLeftOut[] = files
    .filter(({ path, kind }) => FOLDERS.includes(path) && kind !== "file")
    .map(({ path, kind }) => ({ path, note: `is a ${kind} and is not followed` }));
  const wanted: SkillFolder[] = [];
  for (const folder of FOLDERS.flatMap((one) => foldersIn(one, files))) {
    const note = unwanted(folder, wanted, taken);
    if (note === null) wanted.push(folder);
    else leftOut.push({ path: folder.path, note });
  }
  return { wanted, leftOut: shortened(leftOut) };
}

/** At most this many are listed, because a hostile repository may have thousands. */
const MOST_TOLD = 20;

function shortened(leftOut: readonly SkillLeftOut[]): readonly SkillLeftOut[] {
  const more = leftOut.length - MOST_TOLD;
  if (more <= 0) return leftOut;
  return [...leftOut.slice(0, MOST_TOLD), { path: "skills", note: `of ${more} more folders are left out` }];
}

function unwanted(
  { name, entries }: SkillFolder,
  wanted: readonly SkillFolder[],
  taken: readonly string[],
): string | null {
  const fault = unreadSkill(name, entries);
  if (fault !== null) return fault;
  if (taken.includes(name)) return "is left out: the operator's skill of that name is given";
  const same = wanted.find((other) => other.name === name);
  if (same !== undefined) return `is left out: ${same.path} has the same name`;
  return wanted.length + taken.length >= MOST_SKILLS
    ? `is left out: an agent gets at most ${MOST_SKILLS} skills`
    : null;
}

function foldersIn(top: string, files: readonly TreeFile[]): readonly SkillFolder[] {
  const found = new Map<string, SkillFolder["entries"][number][]>();
  for (const { path, kind, bytes, blob } of files) {
    if (!path.startsWith(`${top}/`)) continue;
    const [name = "", ...rest] = path.slice(top.length + 1).split("/");
    // A plain file beside the skills, such as a README, is none.
    if (rest.length === 0 && kind === "file") continue;
    const entries = found.get(name) ?? [];
    entries.push({ path: rest.length === 0 ? name : rest.join("/"), kind, bytes, blob });
    found.set(name, entries);
  }
  return [...found].map(([name, entries]) => ({ name, path: `${top}/${name}`, entries }));
}

/** Returns the skills whose descriptions fit into a prompt, in their order, and those that do not. */
export function fittingSkills(skills: readonly Skill[]): {
  readonly given: readonly Skill[];
  readonly leftOut: readonly Skill[];
} {
  const given: Skill[] = [];
  const leftOut: Skill[] = [];
  let left = MOST_DESCRIBED;
  for (const skill of skills) {
    const fits = skill.description.length <= left && given.length < MOST_SKILLS;
    (fits ? given : leftOut).push(skill);
    if (fits) left -= skill.description.length;
  }
  return { given, leftOut };
}

export const DOES_NOT_FIT = `is left out: descriptions of an agent's skills have at most ${MOST_DESCRIBED} characters together`;

/** Returns the files of a folder with their texts; null where one could not be read. */
export function filesOf(
  { entries }: SkillFolder,
  texts: ReadonlyMap<string, string>,
): readonly SkillFile[] | null {
  const files = entries.flatMap(({ path, blob }) => {
    const text = texts.get(blob);
    return text === undefined ? [] : [{ path, text }];
  });
  return files.length === entries.length ? files : null;
}

/** Returns a skill that the agent got, as the pull request and `flotilla agents show` list it. */
export function givenSkill({ path, hash, from }: Skill): GivenFile {
  return { path, blob: hash.slice(0, 40), shown: 0, note: null, skill: from };
}

/** Returns a skill of the repository that was left out, as the pull request and `flotilla agents show` list it. */
export function skillLeftOut({ path, note }: SkillLeftOut): GivenFile {
  return { path, blob: NO_HASH, shown: 0, note, skill: "repository" };
}

const NO_HASH = "0".repeat(40);
