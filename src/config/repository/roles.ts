import type { Role, RoleTrigger } from "../../domain/agents/role.ts";
import { EVALUATOR } from "../../domain/evidence/evaluation.ts";
import { ASKING_TOOLS, PLAN_TOOL } from "../../domain/sessions/tool-names.ts";
import { toolsOfServers } from "../../domain/settings/mcp-section.ts";
import { REPOSITORY_ROLES } from "../../domain/settings/repository-file-path.ts";
import type { RoleOverride, RoleText } from "../../domain/settings/repository-override.ts";
import type { RepositoryFile } from "../../domain/settings/repository-schema.ts";
import { hasProvider } from "../../domain/settings/runtime-use.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { type RoleReach, reachOf } from "../../domain/settings/settings-for.ts";
import { suggestion } from "../nearest.ts";
import { NEEDS_PROVIDER, readRoleFile } from "../role-file.ts";
import { isMapping } from "../written-schema.ts";

/** Texts of the role files by their names in that directory. */
export type RoleTexts = ReadonlyMap<string, string>;

/** Returns every valid role of the file; the others are faults. A fault begins with `file`. */
export function roleOverrides(
  written: RepositoryFile["roles"],
  given: {
    readonly file: string;
    /** The file's `roles` as written; keys that it omits are the operator's. */
    readonly document: unknown;
    readonly settings: Settings;
    readonly texts: RoleTexts;
  },
): { readonly roles: Record<string, RoleOverride>; readonly faults: string[]; readonly notices: string[] } {
  const all = { roles: new Map<string, RoleOverride>(), faults: [] as string[], notices: [] as string[] };
  const documents = new Map(isMapping(given.document) ? Object.entries(given.document) : []);
  for (const [name, entry] of Object.entries(written)) {
    const document = documents.get(name);
    const stands = (key: string) => isMapping(document) && Object.hasOwn(document, key);
    const at = (text: string) => `${given.file}: roles.${name}${text}`;
    if (name === EVALUATOR) {
      all.faults.push(at(": judges what agents claim, so it is the operator's alone; take it out."));
      continue;
    }
    const own = given.settings.roles.get(name);
    const kind = kindOf(entry);
    const reach = reachOf(given.settings, name, (own ?? kind).evidence);
    const faults = kindFaults(own, { ...entry, ...kind }, stands).map(at);
    const read = entry.prompt === undefined ? undefined : readText(entry.prompt, name, kind, reach, given);
    if (read === undefined && own === undefined)
      faults.push(
        at(`: there is no such role, and a new one needs a prompt.${nearOf(name, given.settings)}`),
      );
    const tools = read?.text?.tools ?? own?.tools ?? [];
    if (entry.plan_first && (read === undefined || read.text !== undefined) && !tools.includes(PLAN_TOOL))
      faults.push(at(`.plan_first: its role file has no ${PLAN_TOOL} among its tools; add it there.`));
    all.faults.push(...faults, ...(read?.faults ?? []));
    all.notices.push(...(read?.notices ?? []));
    if (faults.length > 0 || (read?.faults ?? []).length > 0) continue;
    all.roles.set(name, {
      ...(stands("triggers") ? { triggers: entry.triggers.map(triggerOf) } : {}),
      ...(stands("singleton") ? { singleton: entry.singleton } : {}),
      ...(stands("plan_first") ? { planFirst: entry.plan_first } : {}),
      ...(read?.text === undefined ? {} : { file: read.text }),
      ...(own === undefined ? { kind } : {}),
    });
  }
  return { ...all, roles: Object.fromEntries(all.roles) };
}

type WrittenRole = RepositoryFile["roles"][string];
type Kind = Pick<Role, "lifecycle" | "evidence" | "checkout">;

function kindOf({ lifecycle, evidence, checkout }: WrittenRole): Kind {
  return { lifecycle: lifecycle === "ephemeral" ? lifecycle : "persistent", evidence, checkout };
}

function triggerOf({ event, label }: WrittenRole["triggers"][number]): RoleTrigger {
  return label === undefined ? { event } : { event, label };
}

function nearOf(name: string, { roles }: Settings): string {
  return suggestion(
    name,
    [...roles.keys()].filter((one) => one !== EVALUATOR),
  );
}

/** Returns the faults of keys that only the operator sets for the operator's roles. */
function kindFaults(
  own: Role | undefined,
  entry: Kind & Pick<WrittenRole, "singleton" | "plan_first">,
  stands: (key: string) => boolean,
): string[] {
  if (own === undefined) return [];
  const kept = (["lifecycle", "evidence", "checkout"] as const)
    .filter((key) => stands(key) && entry[key] !== own[key])
    .map(
      (key) =>
        `.${key}: is ${own[key] ?? "not set"} for the operator; take it out, or make a role of another name.`,
    );
  const on = [
    ["singleton", own.singleton],
    ["plan_first", own.planFirst],
  ] as const;
  return [
    ...kept,
    ...on
      .filter(([key, theirs]) => stands(key) && theirs && !entry[key])
      .map(([key]) => `.${key}: the operator has switched it on, and a repository does not switch it off.`),
  ];
}

function readText(
  prompt: string,
  name: string,
  kind: Kind,
  reach: RoleReach,
  {
    file,
    texts,
    settings,
  }: { readonly file: string; readonly texts: RoleTexts; readonly settings: Settings },
): {
  readonly text: RoleText | undefined;
  readonly faults: readonly string[];
  readonly notices: readonly string[];
} {
  const label = `${REPOSITORY_ROLES}/${prompt}`;
  const text = texts.get(prompt);
  if (text === undefined) {
    const fault = `${file}: roles.${name}.prompt: there is no ${label}.${suggestion(prompt, texts.keys())}`;
    return { text: undefined, faults: [fault], notices: [] };
  }
  const ephemeral = (settings.roles.get(name) ?? kind).lifecycle === "ephemeral";
  // A role may name asking tools, like the operator's role files; an ephemeral role does not get them.
  const named = ephemeral ? [...reach.tools, ...ASKING_TOOLS] : reach.tools;
  const { role, faults, notices } = readRoleFile(text, label, {
    knownTools: named,
    mcpServers: serversWithin(settings, reach),
    skills: reach.skills.map((skill) => skill.name),
  });
  if (role === undefined) return { text: undefined, faults, notices };
  // The runtime is told as a fault.
  const { name: writtenFor, tools, runtime: _, ...rest } = role;
  return {
    text: { ...rest, tools: tools.filter((tool) => reach.tools.includes(tool)) },
    faults: [
      ...(writtenFor === undefined || writtenFor === name
        ? []
        : [`${label}: name: is "${writtenFor}", but the role is ${name}; write that or leave the key out.`]),
      ...role.capabilities
        .filter((one) => !reach.capabilities.includes(one))
        .map((one) => `${label}: tools: the operator's roles of this kind do not have ${one}; take it out.`),
      ...(role.model === undefined ? [] : [role.model, ...role.otherModels])
        .filter((model) => !reach.models.includes(model))
        .map((model) => `${label}: model: the operator has no such model.${suggestion(model, reach.models)}`),
      ...(role.runtime === undefined
        ? []
        : [`${label}: runtime: the operator chooses the runtime; take it out.`]),
      ...(role.temperature === undefined ||
      hasProvider({ ...role, runtime: settings.roles.get(name)?.runtime }, settings)
        ? []
        : [`${label}: temperature: ${NEEDS_PROVIDER}`]),
    ],
    notices,
  };
}

/** Returns the servers of which the role may call a tool, with the tools that it may call. */
function serversWithin(
  { mcpServers }: Pick<Settings, "mcpServers">,
  { mcpTools }: RoleReach,
): ReadonlyMap<string, readonly string[]> {
  const all = [...toolsOfServers(mcpServers)];
  const within = all.map(
    ([server, tools]) => [server, tools.filter((one) => mcpTools.includes(one))] as const,
  );
  return new Map(within.filter(([, tools]) => tools.length > 0));
}
