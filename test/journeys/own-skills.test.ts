import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { describeConfined } from "../adapters/sandbox/bubblewrap-here.ts";
import { after, aScenario, call, makes, saysOn } from "./a-scenario.ts";
import { type Journey, startJourney } from "./journey.ts";

const BLOCKER = 1;
const ISSUE = 2;
const ROOT = join(import.meta.dirname, "../..");
const shell = (command: string) => call("bash", { command, description: "Look" });
/** The agent's skills, seen from its home. */
const SKILLS = 'cd "${HOME%/sessions/*}/skills/1"';

const skillFile = (name: string, description: string, text: string) =>
  `---\nname: ${name}\ndescription: ${description}\n---\n${text}\n`;

/** The shipped role files, of which feat-dev names a skill of the operator. */
function rolesWithSkill(): string {
  const directory = mkdtempSync(join(tmpdir(), "flotilla-roles-"));
  cpSync(join(ROOT, "config/roles"), directory, { recursive: true });
  const file = join(directory, "feat-dev.md");
  const text = readFileSync(file, "utf8");
  writeFileSync(file, text.replace("\ntools:", "\nskills: [sql]\ntools:"));
  mkdirSync(join(directory, "skills/sql"), { recursive: true });
  writeFileSync(
    join(directory, "skills/sql/SKILL.md"),
    skillFile("sql", "Reads tables.", "OPERATORS-STEP: select first."),
  );
  return directory;
}

let journey: Journey;
const roles = rolesWithSkill();

describeConfined("the skills of a real agent", () => {
  beforeAll(async () => {
    journey = await startJourney({
      scenario: aScenario({
        config: { agents_dir: roles },
        conversations: [
          saysOn(ISSUE, [
            call("view", { path: "../../../skills/1/sql/SKILL.md" }),
            shell(`${SKILLS} && cat deploy/SKILL.md && sh deploy/scripts/ship.sh && ls; ls deploy`),
            shell(
              `${SKILLS} && { echo MINE > sql/SKILL.md; touch new deploy/new; rm -rf deploy; chmod -R u+w .; ln -s /etc sql/etc; mv sql other; true; }; ls -R`,
            ),
            shell("echo 'BRANCHS-STEP' >> .github/skills/deploy/SKILL.md"),
            call("report_blocked", { blocker_issue: BLOCKER, reason: "That comes first." }),
            ...after("#1", [
              shell(`${SKILLS} && cat sql/SKILL.md deploy/SKILL.md`),
              call("restore_files", { paths: [".github/skills/deploy/SKILL.md"] }),
              ...makes("made.md"),
            ]),
          ]),
        ],
      }),
    });
  }, 180_000);
  afterAll(async () => {
    await journey.close();
    rmSync(roles, { recursive: true, force: true });
  });

  it("are read inside the sandbox, cannot be written there, and are as they were after a sleep", async () => {
    const octocat = journey.github.as("octocat");
    const files = {
      ".github/skills/deploy/SKILL.md": skillFile("deploy", "Ships it.", "REPOSITORYS-STEP: run ship.sh."),
      ".github/skills/deploy/scripts/ship.sh": "echo SHIPPED\n",
      ".github/skills/sql/SKILL.md": skillFile("sql", "Theirs.", "THEIRS"),
      ".github/skills/nameless/SKILL.md": "No front matter.\n",
    };
    await octocat.push("main", files, "Skills for agents");
    for (const title of ["First", "Then"]) await octocat.openIssue({ title, body: "Please." });
    await octocat.label(ISSUE, "feature");
    await journey.reached(ISSUE, "SLEEPING");
    await journey.restart("SIGKILL");
    await octocat.close(BLOCKER);
    await journey.reached(ISSUE, "COMPLETED");

    const outputs = journey
      .rows("SELECT output FROM tool_call WHERE tool IN ('view', 'bash') ORDER BY id")
      .map(({ output }) => String(output));
    const [viewed = "", read = "", attacked = "", , later = ""] = outputs;
    expect(viewed).toContain("OPERATORS-STEP: select first.");
    expect(read).toMatch(/REPOSITORYS-STEP: run ship\.sh\.\nSHIPPED\ndeploy\nsql\nSKILL\.md\nscripts/);
    expect(attacked.match(/Read-only file system/g)?.length).toBeGreaterThan(6);
    expect(attacked).toMatch(/\.\/sql:\nSKILL\.md\n/);
    expect(later).toContain("OPERATORS-STEP");
    expect(later).toContain("REPOSITORYS-STEP");
    expect(later).not.toMatch(/MINE|BRANCHS-STEP/);

    const systems = journey.model.requests.map(({ messages }) =>
      messages
        .filter(({ role }) => role === "system")
        .map(({ content }) => content)
        .join("\n"),
    );
    const listed = systems.map((text) => text.slice(text.indexOf("# Skills")));
    expect(new Set(listed).size).toBe(1);
    const directory = join(journey.dataDir, "skills/1");
    expect(listed[0]).toContain(`\n- ${directory}/sql/SKILL.md: Reads tables.\n`);
    expect(listed[0]).toMatch(/\/deploy\/SKILL\.md: <<(\w+)<< Ships it\. >>\1>>/);
    expect(systems.join()).not.toMatch(/-STEP|Theirs|nameless/);
    expect(Math.max(...systems.map(({ length }) => length))).toBeLessThan(32_000);

    const [pull] = journey.github.state().pulls();
    expect(pull?.body).toMatch(
      /- Skills, those of the repository as of the base commit:\n {2}- `skills\/sql` [0-9a-f]{7}, the operator's\n {2}- `\.github\/skills\/deploy` [0-9a-f]{7}\n {2}- `\.github\/skills\/sql` 0000000: is left out: the operator's skill/,
    );
    expect(pull?.body).toContain("`.github/skills/nameless` 0000000: has a SKILL.md without a front matter");
    await journey.until(
      "its directories are gone",
      () => !readdirSync(join(journey.dataDir, "skills")).includes("1"),
    );
    expect(await journey.violationsAfterStop()).toEqual([]);
  }, 240_000);
});
