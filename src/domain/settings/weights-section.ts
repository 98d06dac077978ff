import { z } from "zod";
import { matchesRepository } from "../access/level-of.ts";
import { section, setting, type Values } from "./keys.ts";
import { repositoryPattern } from "./people-sections.ts";

const weight = () => z.number().min(0.01).max(100);

export const weights = section(
  "weights",
  "Whose agent gets the next free slot, and whose webhook or effect is handled next, when those of several installations or repositories wait. Each gets turns in proportion to its weight, which is `1` unless you set it. See docs/operations.md#who-gets-the-next-slot.",
  {
    installations: setting(
      "installations",
      z.record(
        z.string().regex(/^[A-Za-z0-9-]+$/, { error: "write the login of an account, such as acme" }),
        weight(),
      ),
      {
        description:
          "Weights of installations, by the login of the account: with `acme: 2`, `acme` gets two turns for each turn of another installation.",
        default: {},
      },
    ),
    repositories: setting("repositories", z.record(repositoryPattern(), weight()), {
      description:
        "Weights of repositories within their installation, by `owner/name` patterns; the first that matches counts.",
      default: {},
    }),
  },
);

type WeightSettings = Values<typeof weights.keys>;

export function weightOfInstallation({ installations }: WeightSettings, owner: string): number {
  const found = Object.entries(installations).find(([login]) => login.toLowerCase() === owner.toLowerCase());
  return found?.[1] ?? 1;
}

export function weightOfRepository({ repositories }: WeightSettings, fullName: string): number {
  return Object.entries(repositories).find(([pattern]) => matchesRepository(pattern, fullName))?.[1] ?? 1;
}
