import { expect, it } from "vitest";
import { unreadLessons, withLesson } from "../../../src/domain/lessons/lesson-file.ts";

it.each([
  ["no file", "", "## Lessons\n\n- New.\n"],
  ["only blanks", " \n\n", "## Lessons\n\n- New.\n"],
  ["no section", "# For agents\n\nBe brief.", "# For agents\n\nBe brief.\n\n## Lessons\n\n- New.\n"],
  ["the section at the end", "# A\n\n## Lessons\n\n- Old.\n", "# A\n\n## Lessons\n\n- Old.\n- New.\n"],
  [
    "a section after it",
    "## lessons ##\n\n- Old\n  and long.\n- Old.\n\n### More\n\n- x\n\n## Next\n\ny\n",
    "## lessons ##\n\n- Old\n  and long.\n- Old.\n\n### More\n\n- x\n- New.\n\n## Next\n\ny\n",
  ],
  ["an empty section", "## Lessons\n\n# Next\n", "## Lessons\n\n- New.\n\n# Next\n"],
  [
    "a heading and a comment in code",
    "```md\n## Lessons\n```\n\n## Lessons\n\n- Old:\n\n~~~sh\n# Build.\n```\n~~~\n\n## Next\n",
    "```md\n## Lessons\n```\n\n## Lessons\n\n- Old:\n\n~~~sh\n# Build.\n```\n~~~\n\n- New.\n\n## Next\n",
  ],
  ["words before", "## Lessons\nSome words.\n", "## Lessons\nSome words.\n\n- New.\n"],
  [
    "Windows' line ends",
    "# A\r\n\r\n## Lessons\r\n\r\n- Old.\r\n",
    "# A\r\n\r\n## Lessons\r\n\r\n- Old.\r\n- New.\r\n",
  ],
])("adds the line where there is %s", (_, before, after) => {
  expect(withLesson(before, "New.")).toBe(after);
});

it.each([
  [true, "", null],
  [false, "", "agents here do not read AGENTS.md (`instructions`)"],
  [["docs/agents.md"], "", "agents here do not read AGENTS.md (`instructions`)"],
  [["AGENTS.md"], "x", null],
  [true, "x".repeat(33_000), "AGENTS.md is so long that agents would not read a lesson at its end"],
])("with instructions %j and its file it says %j", (instructions, text, why) => {
  expect(unreadLessons({ instructions }, text)).toBe(why);
});
