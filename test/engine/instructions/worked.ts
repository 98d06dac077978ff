import { labeled, tell } from "../people.ts";
import { aRig, type Rig, type RigOptions } from "../rig.ts";

export const FILES = {
  "AGENTS.md": "Use tabs at the top.",
  "CLAUDE.md": "Use tabs at the top.",
  ".github/instructions/ts.instructions.md": '---\napplyTo: "**/*.{ts,tsx}"\n---\nTypes are strict.',
  ".github/instructions/all.instructions.md": '---\napplyTo: "**"\n---\nWrite tests for all.',
  ".github/instructions/none.instructions.md": "For nothing.",
  "packages/api/AGENTS.md": "The API has version 2.",
  "packages/api/deep/AGENTS.md": "Deep rules.",
};

/** An agent was started on issue 1 of a repository with these instructions, and has done what the script says. */
export async function worked(options: RigOptions): Promise<Rig> {
  const rig = await aRig({ files: FILES, ...options });
  await tell(rig, labeled(rig, 1));
  return rig;
}

/** The system prompt of an awake period. */
export const systemOf = (rig: Rig, index = 0) => rig.runtime.opened[index]?.systemPrompt ?? "";
