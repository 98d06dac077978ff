import { expect, it } from "vitest";
import { formFields } from "../../../src/domain/conversation/issue-form.ts";

const FORM = `### What happened?

It broke.
Twice.

### Version

_No response_

### Log

\`\`\`shell
### not a field

\`\`\`

### Terms

- [x] I agree`;

it("reads the fields of a form, with what was left empty", () => {
  expect(formFields(FORM)).toEqual([
    { label: "What happened?", value: "It broke.\nTwice." },
    { label: "Version", value: "" },
    { label: "Log", value: "```shell\n### not a field\n\n```" },
    { label: "Terms", value: "- [x] I agree" },
  ]);
});

it.each([
  ["a text", "It broke."],
  ["nothing", ""],
  ["a text before the first heading", `Hello.\n\n${FORM}`],
  ["one heading", "### What\n\nIt broke."],
  ["headings of another level", "## One\n\na\n\n## Two\n\nb"],
  ["a heading right above its text", "### One\na\n\n### Two\nb"],
  ["code alone", "```\n### One\n\n### Two\n\n```"],
])("takes for no form: %s", (_, text) => {
  expect(formFields(text)).toBeNull();
});

it("is quick with thousands of headings", () => {
  expect(formFields("### a\n\nb\n\n".repeat(6000))).toHaveLength(6000);
});
