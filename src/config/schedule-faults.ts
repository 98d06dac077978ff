import type { ConfigFile } from "../domain/settings/config-schema.ts";
import { allowsRepository } from "../domain/settings/settings.ts";

/** Returns the faults of schedules that name what the rest of the file does not have. */
export function scheduleFaults(
  { schedules, roles, repositories }: Pick<ConfigFile, "schedules" | "roles" | "repositories">,
  file: string,
): readonly string[] {
  return Object.entries(schedules).flatMap(([name, { role, repository }]) => [
    ...(Object.hasOwn(roles, role)
      ? []
      : [
          `${file}: schedules.${name}.role: there is no role ${role}; the roles are ${Object.keys(roles).join(", ")}.`,
        ]),
    ...(allowsRepository({ repositories }, repository)
      ? []
      : [
          `${file}: schedules.${name}.repository: ${repository} is not among \`repositories\`; add it there.`,
        ]),
  ]);
}
