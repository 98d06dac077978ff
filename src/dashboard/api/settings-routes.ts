import { z } from "zod";
import type { SettingInForce } from "../../domain/settings/setting-in-force.ts";
import { NOT_FOUND, ok } from "../../http/answer.ts";
import { page, text } from "./answers/fields.ts";
import { NO_PAGE, PAGING, paged, pageOf } from "./paging.ts";
import type { ApiRoute } from "./route.ts";

const setting = z.strictObject({
  key: text().describe("Its path in the configuration, or the name of an environment variable."),
  value: text().nullable().describe("Null where nothing is set, and where it is not shown."),
  source: z.enum(["default", "file", "environment", "not set"]),
  where: text().nullable().describe("The file and its line."),
  hidden: z.boolean().describe("It is set, and not shown: it is or may hold a secret."),
  repository_may: z.boolean().describe("A repository's own file may change it there, within limits."),
  about: text().nullable(),
});

/** The settings of this process. */
export const SETTINGS_ROUTES: readonly ApiRoute[] = [
  {
    method: "get",
    path: "/api/settings",
    name: "settings",
    summary:
      "The settings in force in the process that answers, each with where it comes from. Only the operator may ask.",
    group: "system",
    query: PAGING,
    answer: page({ settings: z.array(setting) }),
    run: async ({ inForce }, { rights, query }) => {
      if (rights.viewer.kind !== "operator") return NOT_FOUND;
      const asked = pageOf(query, 1);
      if (asked === null) return NO_PAGE;
      const { rows, next } = await paged(asked, async ({ after, limit }) => {
        const start = (after?.[0] ?? -1) + 1;
        return inForce.slice(start, start + limit).map((row, at) => ({ row, position: [start + at] }));
      });
      return ok({ settings: rows.map(settingJson), next });
    },
  },
];

function settingJson({ isHidden, isForRepositories, ...rest }: SettingInForce) {
  return { ...rest, hidden: isHidden, repository_may: isForRepositories };
}

export type SettingJson = ReturnType<typeof settingJson>;
