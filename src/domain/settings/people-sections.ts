import { z } from "zod";
import { LEVELS } from "../access/level.ts";
import { patternFault } from "../evidence/protected-paths.ts";
import { INSTRUCTION_PATTERNS } from "../instructions/instruction-files.ts";
import { SKILL_PATTERNS } from "../instructions/skill-folders.ts";
import { duration } from "./duration.ts";
import { section, setting } from "./keys.ts";
import { REPOSITORY_FILE } from "./repository-file-path.ts";

export const escalation = section("escalation", "How a person is asked to act.", {
  label: setting("label", z.string().min(1).max(50), {
    description: "Label of issues that wait for a person.",
    default: "needs-human",
  }),
  notify: setting(
    "notify",
    z.array(
      z.string().regex(/^[A-Za-z0-9][A-Za-z0-9-]*(\/[A-Za-z0-9_-]+)?$/, {
        error: "write a login or org/team without @",
      }),
    ),
    {
      description:
        "Logins, or teams as `org/team`, that are mentioned; the first is asked an agent's question, then the next.",
      default: [],
    },
  ),
  remindAfterMs: setting("remind_after", duration(), {
    description:
      "When people are reminded of what waits for them: who is asked a question (at half of its time at the latest), and the first of `notify` of an escalation, a review, an approval or a pause.",
    default: "4h",
  }),
  secondPersonAfterMs: setting("second_person_after", duration(), {
    description:
      "When the next of `notify` is asked too; of a question at three quarters of its time at the latest.",
    default: "24h",
  }),
});

export const attention = section("attention", "How much people are asked to review.", {
  openPrs: setting("open_prs", z.int().min(1), {
    description:
      "Open pull requests of Flotilla that may wait for people, per repository and person, before no more work begins.",
    default: 10,
  }),
});

export const questions = section("questions", "Questions of agents to people.", {
  deadlineMs: setting("deadline", duration(), {
    description: "How long a question without a deadline of its own stays open.",
    default: "48h",
  }),
});

/** A pattern as `protectedAmong` reads it. */
const pathPattern = z
  .string()
  .min(1)
  .superRefine((pattern, context) => {
    const message = patternFault(pattern);
    if (message !== null) context.addIssue({ code: "custom", message });
  });

export const policy = section("policy", "Who may do what.", {
  whoMayCommand: setting("who_may_command", z.enum(["write", "maintain", "admin"]), {
    description: "The lowest permission with which a person's commands count.",
    default: "write",
  }),
  readUntrusted: setting("read_untrusted", z.boolean(), {
    description: "Whether agents see text by people without write permission, and triage their issues.",
    default: false,
  }),
  bots: setting("bots", z.array(z.int({ error: "write the bot's numeric id" }).positive()), {
    description: "Numeric ids of bots that may give commands.",
    default: [],
  }),
  protectedPaths: setting("protected_paths", z.array(pathPattern).transform(withRepositoryFile), {
    description:
      "Paths that agents may not change without a person, from the top of the repository: `**` stands for any directories, `*` for any characters but `/`, `?` for one character. A pattern that ends with a plain name, `/` or `/**` protects that name and everything below it. Braces, brackets and exceptions with `!` are refused. A repository's own `.github/flotilla.yml` and `.github/flotilla/**` are always among them.",
    default: [
      ".github/workflows/**",
      ".github/actions/**",
      "CODEOWNERS",
      ".github/CODEOWNERS",
      ...INSTRUCTION_PATTERNS,
      ...SKILL_PATTERNS,
    ],
  }),
  maxOutputs: section("max_outputs", "The most that one agent may create on GitHub.", {
    comments: setting("comments", z.int().min(0), { description: "Comments.", default: 10 }),
    pullRequests: setting("pull_requests", z.int().min(0), { description: "Pull requests.", default: 1 }),
    issues: setting("issues", z.int().min(0), { description: "Issues.", default: 3 }),
  }),
});

/** Adds the repository's own files: no agent may change its own limits, whatever the operator protects. */
function withRepositoryFile(paths: readonly string[]): readonly string[] {
  return [...new Set([...paths, REPOSITORY_FILE, ".github/flotilla/**"])];
}

export const level = setting("level", z.enum(LEVELS), {
  description:
    "How far Flotilla goes on its own, each with all before it: `observe` writes nothing on GitHub, `comment` speaks on issues, `draft` opens draft pull requests, `pr` opens pull requests, `merge` lets `merge.auto` merge. See docs/levels.md.",
  default: "pr",
});

export const repositoryPattern = () =>
  z.string().regex(/^[A-Za-z0-9*-]+\/[A-Za-z0-9._*-]+$/, {
    error: 'write owner/name, with * for any characters, such as "acme/*"',
  });

export const levels = section("levels", "Where Flotilla goes less far, or further, than `level`.", {
  repositories: setting("repositories", z.record(repositoryPattern(), z.enum(LEVELS)), {
    description:
      "Levels of repositories in place of `level`, by `owner/name` patterns; the first that matches counts.",
    default: {},
  }),
  labels: setting("labels", z.record(z.string().min(1), z.enum(LEVELS)), {
    description: "Levels by an issue's labels. A label can lower the repository's level, and never raise it.",
    default: {},
  }),
});
