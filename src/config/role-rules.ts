import { ENDINGS, isRetrospective } from "../domain/agents/role.ts";
import { EVALUATOR } from "../domain/evidence/evaluation.ts";
import { isGoalLabel } from "../domain/planning/plan.ts";
import type { ConfigFile } from "../domain/settings/config-schema.ts";
import { suggestion } from "./nearest.ts";
import { valueAt } from "./written-schema.ts";

/**
 * Returns the faults of `roles` and `circuit_breakers.roles` together, beyond the shape of each key.
 * `document` is the file as written: the default limits may name a role that a configuration omits.
 */
export function roleRuleFaults(
  written: Pick<ConfigFile, "roles">,
  document: unknown,
  file: string,
): string[] {
  return [
    ...Object.entries(written.roles).flatMap(([name, role]) =>
      [...triggerFaults(name, role), ...shapeFaults(name, role)].map((fault) => `${file}: ${fault}`),
    ),
    ...sharedLabelFaults(written.roles).map((fault) => `${file}: ${fault}`),
    ...unknownRoleFaults(written.roles, document).map((fault) => `${file}: ${fault}`),
  ];
}

/** Returns the faults of turn limits above the ceiling. */
export function turnFaults(
  { limits: { turnCeiling: ceiling, defaults, roles } }: Pick<ConfigFile, "limits">,
  file: string,
): string[] {
  const turns = [
    ["defaults", defaults.maxTurns] as const,
    ...[...roles].map(([name, { maxTurns }]) => [`roles.${name}`, maxTurns ?? 0] as const),
  ];
  return turns
    .filter(([, count]) => count > ceiling)
    .map(
      ([key, count]) =>
        `${file}: circuit_breakers.${key}.max_turns: ${count} is more than ${ceiling}; write 1 to ${ceiling}, or raise circuit_breakers.turn_ceiling.`,
    );
}

type WrittenRole = ConfigFile["roles"][string];

function triggerFaults(name: string, role: WrittenRole): string[] {
  if (name === EVALUATOR)
    return role.triggers.length === 0
      ? []
      : [`roles.${name}.triggers: nothing starts an evaluator, the host asks it; take them out.`];
  if (role.triggers.length === 0)
    return [`roles.${name}.triggers: no event leads to this role; give it a trigger or take the role out.`];
  return role.triggers.flatMap(({ event, label }, index) => {
    const at = `roles.${name}.triggers[${index}]`;
    if (!KNOWN_EVENTS.some((known) => known === event)) {
      return [`${at}.event: unknown event "${event}".${suggestion(event, KNOWN_EVENTS)}`];
    }
    if (event === "issues.labeled" && label === undefined) {
      return [`${at}.label: is missing; write the label that starts ${name}.`];
    }
    if (event !== "issues.labeled" && label !== undefined) {
      return [`${at}.label: has no effect with ${event}; take it out, or write event: issues.labeled.`];
    }
    return [];
  });
}

function shapeFaults(name: string, role: WrittenRole): string[] {
  if (name === EVALUATOR && role.evidence !== "none")
    return [`roles.${name}.evidence: an evaluator completes nothing of its own; write none.`];
  const starts = role.triggers.some(({ event }) => event === "task.ready_for_review");
  if (starts && role.evidence !== "verdict")
    return [`roles.${name}.evidence: task.ready_for_review starts a review; write verdict.`];
  if (isRetrospective(role) && (role.lifecycle !== "ephemeral" || role.evidence !== "none"))
    return [
      `roles.${name}: ${ENDINGS.join(" and ")} start a retrospective; write lifecycle: ephemeral and evidence: none.`,
    ];
  if (role.evidence === "verdict" && role.lifecycle !== "ephemeral")
    return [`roles.${name}.lifecycle: a reviewer has no branch of its own; write ephemeral.`];
  if (role.lifecycle !== "ephemeral") {
    return role.checkout === undefined
      ? []
      : [
          `roles.${name}.checkout: only an ephemeral role has one; a persistent role works on its own branch.`,
        ];
  }
  return role.evidence === "code"
    ? [`roles.${name}.evidence: an ephemeral role has no branch, so write verdict, outputs or none.`]
    : [];
}

/** Returns a fault for each label that starts several roles, ignoring case as GitHub does. */
function sharedLabelFaults(roles: ConfigFile["roles"]): string[] {
  const owners = new Map<string, string>();
  const faults: string[] = [];
  for (const [name, role] of Object.entries(roles)) {
    for (const [index, { label }] of role.triggers.entries()) {
      if (label === undefined) continue;
      if (isGoalLabel(label))
        faults.push(
          `roles.${name}.triggers[${index}].label: "${label}" makes an issue a goal's; take another label.`,
        );
      const owner = owners.get(label.toLowerCase());
      if (owner === undefined) owners.set(label.toLowerCase(), name);
      else {
        faults.push(
          `roles.${name}.triggers[${index}].label: "${label}" already starts ${owner}; give each role its own label.`,
        );
      }
    }
  }
  return faults;
}

/** Returns the faults of limits for unknown roles. `roles` are the existing ones by name. */
export function unknownRoleFaults(roles: Readonly<Record<string, unknown>>, document: unknown): string[] {
  const limited = valueAt(document, ["circuit_breakers", "roles"]);
  if (typeof limited !== "object" || limited === null) return [];
  return Object.keys(limited)
    .filter((name) => !Object.hasOwn(roles, name))
    .map(
      (name) =>
        `circuit_breakers.roles.${name}: there is no such role.${suggestion(name, Object.keys(roles))}`,
    );
}

/** Events that a role's trigger may name. */
const KNOWN_EVENTS = ["issues.opened", "issues.labeled", "task.ready_for_review", ...ENDINGS] as const;
