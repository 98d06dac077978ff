import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readRepositoryFile } from "../../src/config/repository-file.ts";
import { readSkill, skillNames } from "../../src/config/skills.ts";
import { settingsFor } from "../../src/domain/settings/settings-for.ts";
import { faultsOf, load, SOUND_YAML, workplace } from "./workplace.ts";

const ROLES = `${SOUND_YAML}
roles:
  mender: { prompt: mender.md, triggers: [{ event: issues.labeled, label: crash }] }
`;
const skillFile = (name: string, description = "Reads tables.") =>
  `---\nname: ${name}\ndescription: ${description}\n---\nSelect first.\n`;
const mender = (skills: string) => `---\ndescription: M\ntools: [read]\nskills: ${skills}\n---\nx\n`;
const given = (skills: string, files: Readonly<Record<string, string>>) => ({
  files: { "config/roles/mender.md": mender(skills), ...files },
});
const SQL = {
  "config/roles/skills/sql/SKILL.md": skillFile("sql"),
  "config/roles/skills/sql/scripts/run.sql": "SELECT 1;\n",
  "config/roles/skills/other/SKILL.md": skillFile("other"),
};

test("a role gets the operator's skills that its file names, with all their files", () => {
  const { config, notices } = load(ROLES, given("[sql]", SQL));
  const skills = config.roles.get("mender")?.skills ?? [];
  expect(notices).toEqual([]);
  expect(skills).toEqual([
    {
      name: "sql",
      description: "Reads tables.",
      from: "operator",
      path: "skills/sql",
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      files: [
        { path: "SKILL.md", text: skillFile("sql") },
        { path: "scripts/run.sql", text: "SELECT 1;\n" },
      ],
    },
  ]);
});

test("a name that is misspelt, or there twice, is a fault", () => {
  expect(faultsOf(ROLES, given("[sqll, sql, sql]", SQL))).toEqual([
    'config/roles/mender.md: skills[0]: there is no folder "sqll" in skills/ beside the operator\'s role files. Did you mean "sql"?',
    'config/roles/mender.md: skills[2]: "sql" is listed twice; take one out.',
  ]);
  expect(faultsOf(ROLES, given("[sql]", {}))[0]).toContain('there is no folder "sql"');
});

test("a faulty skill is told, and the role works without it", () => {
  const files = { ...SQL, "config/roles/skills/sql/SKILL.md": "Select first.\n" };
  const { config, notices } = load(ROLES, given("[sql, other]", files));
  expect(config.roles.get("mender")?.skills.map(({ name }) => name)).toEqual(["other"]);
  expect(notices).toEqual([
    "config/roles/skills/sql: has a SKILL.md without a front matter that can be read: name and description; no agent gets this skill.",
  ]);
});

test("the evaluator gets none", () => {
  const text = "---\ndescription: E\ntools: [read, submit_evaluation]\nskills: [sql]\n---\nx\n";
  const files = { ...SQL, "config/roles/evaluator.md": text };
  expect(
    faultsOf(`${ROLES}  evaluator: { prompt: evaluator.md, evidence: none }\n`, { files }).join(),
  ).toContain("evaluator.md: skills: an evaluator gets none; take them out.");
});

test("a repository's role gets those that the operator's role has, and no other", () => {
  const { config } = load(ROLES, given("[sql]", SQL));
  const own = (skills: string) =>
    readRepositoryFile(
      "roles: { mender: { prompt: mend.md } }",
      config,
      new Map([["mend.md", mender(skills)]]),
    );
  const skillsWith = (skills: string) => {
    const { override } = own(skills);
    if (override === undefined) throw new Error("the file is refused");
    return settingsFor(config, override)
      .roles.get("mender")
      ?.skills.map(({ name }) => name);
  };
  expect(skillsWith("[sql]")).toEqual(["sql"]);
  expect(skillsWith("[]")).toEqual([]);
  expect(own("[other]").faults.join()).toContain('skills[0]: there is no folder "other"');
  const kept = readRepositoryFile("roles: { mender: { singleton: true } }", config).override;
  expect(kept && settingsFor(config, kept).roles.get("mender")?.skills).toHaveLength(1);
});

test.each<[string, (directory: string) => void, string]>([
  [
    "links out",
    (directory) => symlinkSync("/etc/passwd", join(directory, "sql/passwd")),
    "contains a link, which is not followed: passwd",
  ],
  [
    "has a folder that links out",
    (directory) => symlinkSync("/etc", join(directory, "sql/etc")),
    "contains a link, which is not followed: etc",
  ],
  [
    "has a megabyte",
    (directory) => writeFileSync(join(directory, "sql/SKILL.md"), "x".repeat(1_048_576)),
    "has 1048586 bytes, more than 262144",
  ],
  [
    "has a binary",
    (directory) => writeFileSync(join(directory, "sql/a.png"), Buffer.from([0x89, 0x50, 0, 1])),
    "contains a file that is no text in UTF-8: a.png",
  ],
  [
    "has no end of folders",
    (directory) => {
      for (let at = 0; at < 201; at += 1) mkdirSync(join(directory, `sql/f${at}`));
    },
    "cannot be read (too many files and folders)",
  ],
])("a skill that %s is refused", (_, spoil, says) => {
  const cwd = workplace(SQL);
  const directory = join(cwd, "config/roles");
  spoil(join(directory, "skills"));
  expect(readSkill("sql", { directory, directoryWritten: "config/roles" })).toEqual({
    notice: `config/roles/skills/sql: ${says}; no agent gets this skill.`,
  });
});

test("a skill that is a link is known by its name, and not followed", () => {
  const directory = join(workplace(SQL), "config/roles");
  symlinkSync("other", join(directory, "skills/linked"));
  writeFileSync(join(directory, "skills/README.md"), "x");
  expect(skillNames(directory).toSorted()).toEqual(["linked", "other", "sql"]);
  expect(skillNames(join(directory, "nowhere"))).toEqual([]);
  expect(readSkill("linked", { directory, directoryWritten: "r" })).toEqual({
    notice: "r/skills/linked: is a link and is not followed; no agent gets this skill.",
  });
});
