import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { Role } from "../../domain/agents/role.ts";
import type { GivenFile } from "../../domain/instructions/given-file.ts";
import { SKILL_FILE, type Skill, skillContent, skillHead } from "../../domain/instructions/skill.ts";
import {
  DOES_NOT_FIT,
  filesOf,
  fittingSkills,
  givenSkill,
  MOST_SKILL_ENTRIES,
  SKILL_ENTRIES,
  type SkillFolder,
  type SkillLeftOut,
  skillFolders,
  skillLeftOut,
} from "../../domain/instructions/skill-folders.ts";
import { skillSection } from "../../domain/instructions/skill-text.ts";
import { GitError, messageOf } from "../../domain/kernel/errors.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { repositoryOf } from "../kernel/repository-of.ts";

/** The skills of one agent in one awake period. */
export interface AgentSkills {
  /** Undefined where there are none. */
  readonly directory: string | undefined;
  /** The part of the system prompt that lists them; null where there are none. */
  readonly section: string | null;
  /** What people are told, also of those that were left out. */
  readonly given: readonly GivenFile[];
}

const NONE: AgentSkills = { directory: undefined, section: null, given: [] };

/**
 * Writes the operator's and the repository's skills where the agent can read them: those of the repository from the
 * commit that its work is based on, which no branch changes. They are no condition of its work.
 */
export async function prepareSkills(
  context: EngineContext,
  agent: AgentRecord,
  role: Role,
): Promise<AgentSkills> {
  if (!role.capabilities.includes("read") && !role.capabilities.includes("shell")) return NONE;
  const found = await repositorySkills(context, agent, role);
  const { given, leftOut } = fittingSkills([...role.skills, ...found.skills]);
  const told = [
    ...given.map(givenSkill),
    ...leftOut.map((skill) => ({ ...givenSkill(skill), note: DOES_NOT_FIT })),
    ...found.leftOut.map(skillLeftOut),
  ];
  if (given.length === 0) return { ...NONE, given: told };
  try {
    const directory = await context.directories.skills(agent.id, given);
    return { directory, section: skillSection(given, directory), given: told };
  } catch (error) {
    context.log.warn({ error: messageOf(error), agent: agent.name }, "skills not written");
    return NONE;
  }
}

interface Found {
  readonly skills: readonly Skill[];
  readonly leftOut: readonly SkillLeftOut[];
}

async function repositorySkills(context: EngineContext, agent: AgentRecord, role: Role): Promise<Found> {
  const { repositoryId, baseCommit, name } = agent;
  const none = { skills: [], leftOut: [] };
  if (baseCommit === null || context.settingsOf(repositoryId).instructions !== true) return none;
  try {
    const repository = await repositoryOf(context, repositoryId);
    const files = await context.worktrees.filesAt(repository, baseCommit, {
      patterns: SKILL_ENTRIES,
      most: MOST_SKILL_ENTRIES,
    });
    const { wanted, leftOut } = skillFolders(
      files,
      role.skills.map((skill) => skill.name),
    );
    const blobs = wanted.flatMap(({ entries }) => entries.map(({ blob }) => blob));
    const texts =
      blobs.length === 0 ? new Map<string, string>() : await context.worktrees.texts(repository, blobs);
    const read = wanted.map((folder) => readSkill(context, folder, texts));
    return {
      skills: read.flatMap((one) => ("note" in one ? [] : [one])),
      leftOut: [...leftOut, ...read.flatMap((one) => ("note" in one ? [one] : []))],
    };
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    context.log.warn({ error: messageOf(error), agent: name }, "repository's skills not read");
    return none;
  }
}

function readSkill(
  { frontMatter, digest }: Pick<EngineContext, "frontMatter" | "digest">,
  folder: SkillFolder,
  texts: ReadonlyMap<string, string>,
): Skill | SkillLeftOut {
  const { name, path } = folder;
  const files = filesOf(folder, texts);
  if (files === null) return { path, note: "has a file that git does not show" };
  const main = files.find((file) => file.path === SKILL_FILE)?.text ?? "";
  const head = skillHead(name, files, frontMatter(main).data);
  if ("fault" in head) return { path, note: head.fault };
  const hash = digest(skillContent(files));
  return { name, description: head.description, from: "repository", path, hash, files };
}
