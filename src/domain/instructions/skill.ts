/** A folder with instructions for one kind of work, as in the open format "Agent Skills". */
export interface Skill {
  readonly name: string;
  /** What it is for: all that an agent reads of it before it opens the folder. */
  readonly description: string;
  /** Whose it is. */
  readonly from: SkillSource;
  /** Where people find it: below the operator's folder of roles, or in the repository. */
  readonly path: string;
  /** A digest of all its files, in hex. */
  readonly hash: string;
  readonly files: readonly SkillFile[];
}
type SkillSource = "operator" | "repository";

export interface SkillFile {
  /** From the skill's folder, with `/`. */
  readonly path: string;
  readonly text: string;
}

/** An entry of a folder before it is read. */
export interface SkillEntry {
  readonly path: string;
  readonly kind: "file" | "link" | "submodule" | "special file";
  readonly bytes: number;
}

export const SKILL_FILE = "SKILL.md";
/** The most files of one skill, and their bytes together. */
export const MOST_SKILL_FILES = 50;
const MOST_SKILL_BYTES = 256 * 1024;
const LONGEST_NAME = 64;
const LONGEST_DESCRIPTION = 1024;
const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
/** A name that needs no care where it is written, listed or typed into a shell. */
const SAFE_PART = /^(?!\.\.?$)[\w.@+-]{1,100}$/;

/** Returns why a folder is not read, as the end of a sentence about it; null where it is. */
export function unreadSkill(name: string, entries: readonly SkillEntry[]): string | null {
  if (!isSkillName(name))
    return `has a name that no skill can have: write at most ${LONGEST_NAME} small letters, digits and single hyphens`;
  const linked = entries.find(({ kind }) => kind !== "file");
  if (linked !== undefined) return `contains a ${linked.kind}, which is not followed: ${linked.path}`;
  const odd = entries.find(({ path }) => path.split("/").some((part) => !SAFE_PART.test(part)));
  if (odd !== undefined)
    return `contains a path with other characters than letters, digits and . _ - + @, or one that leads out of the folder: ${odd.path}`;
  if (entries.length > MOST_SKILL_FILES) return `has more than ${MOST_SKILL_FILES} files`;
  const bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
  if (bytes > MOST_SKILL_BYTES) return `has ${bytes} bytes, more than ${MOST_SKILL_BYTES}`;
  if (hasClash(entries)) return "contains a file and a folder of the same name";
  return entries.some(({ path }) => path === SKILL_FILE) ? null : `has no ${SKILL_FILE}`;
}

function isSkillName(name: string): boolean {
  return name.length <= LONGEST_NAME && NAME.test(name);
}

/** No git command writes such a tree, but a server may hold one. */
function hasClash(entries: readonly SkillEntry[]): boolean {
  const paths = entries.map(({ path }) => path);
  return (
    new Set(paths).size < paths.length ||
    paths.some((path) => paths.some((other) => other.startsWith(`${path}/`)))
  );
}

/** What a `SKILL.md` says of its skill; or why that is not used, as the end of a sentence about the folder. */
export type SkillHead = { readonly description: string } | { readonly fault: string };

/** Reads the head of a skill in the folder `name`. `data` = the front matter of its `SKILL.md`. */
export function skillHead(
  name: string,
  files: readonly SkillFile[],
  data: Readonly<Record<string, unknown>> | null,
): SkillHead {
  const binary = files.find(({ text }) => /[\0\uFFFD]/.test(text));
  if (binary !== undefined) return { fault: `contains a file that is no text in UTF-8: ${binary.path}` };
  if (data === null)
    return { fault: `has a ${SKILL_FILE} without a front matter that can be read: name and description` };
  const named = data["name"];
  if (typeof named !== "string" || named === "") return { fault: `has a ${SKILL_FILE} without a name` };
  if (named !== name)
    return {
      fault: `has a ${SKILL_FILE} with another name than its folder; the two must be the same: ${named.slice(0, LONGEST_NAME)}`,
    };
  const written = data["description"];
  const description = typeof written === "string" ? written.replace(/\s+/g, " ").trim() : "";
  if (description === "") return { fault: `has a ${SKILL_FILE} without a description` };
  return description.length > LONGEST_DESCRIPTION
    ? { fault: `has a description of more than ${LONGEST_DESCRIPTION} characters` }
    : { description };
}

/** Returns the text whose digest is a skill's hash. */
export function skillContent(files: readonly SkillFile[]): string {
  return JSON.stringify(files.map(({ path, text }) => [path, text]));
}
