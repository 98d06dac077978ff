import { describe, expect, test } from "vitest";
import { readLabels, withEscalationLabel } from "../../src/config/load-config.ts";
import { configSchema } from "../../src/domain/settings/config-schema.ts";
import { isStateLabel, stateLabel } from "../../src/domain/tasks/state-label.ts";
import { TASK_STATES } from "../../src/domain/tasks/task-record.ts";

describe("labels that Flotilla makes", () => {
  test("hold the one of escalations, and none that starts work, which people make", () => {
    const names = readLabels().map(({ name }) => name);
    const { roles, escalation } = configSchema.parse({});
    const starting = Object.values(roles).flatMap((role) =>
      role.triggers.flatMap(({ label }) => label ?? []),
    );
    expect(starting).not.toEqual([]);
    expect(names).toContain(escalation.label);
    expect(names.filter((name) => starting.includes(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });

  test("hold one for each state of a task, none of them too long for GitHub", () => {
    const names = readLabels().map(({ name }) => name);
    expect(names.filter(isStateLabel)).toEqual(TASK_STATES.map(stateLabel));
  });

  test("hold the configured label of escalations too, with colour and description, and once", () => {
    const shipped = readLabels();
    expect(withEscalationLabel(shipped, "Needs-Human")).toEqual(shipped);
    expect(withEscalationLabel(shipped, "ask us").at(-1)).toEqual({
      ...shipped.find(({ name }) => name === "needs-human"),
      name: "ask us",
    });
  });

  test.each([
    [
      "- { name: a, color: '#ff0000', description: d }",
      "config/labels.yaml: [0].color: write six hexadecimal digits",
    ],
    [
      "- { name: a, color: ff0000, descripton: d }",
      'config/labels.yaml: [0].descripton: unknown key. Did you mean "description"?',
    ],
    ["- { name: [", "config/labels.yaml:1: YAML"],
  ])("%s is refused", (text, fault) => {
    expect(() => readLabels(text)).toThrow(fault);
  });
});
