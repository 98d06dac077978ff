import { z } from "zod";
import { LEVELS } from "../../domain/access/level.ts";

const level = () => z.enum(LEVELS);

/** `level`: how far Flotilla goes. */
export const levelSchema = level()
  .prefault("pr")
  .describe(
    "How far Flotilla goes on its own, each with all before it: `observe` writes nothing on GitHub, `comment` speaks on issues, `draft` opens draft pull requests, `pr` opens pull requests, `merge` lets `merge.auto` merge. See docs/levels.md.",
  );

/** `levels`: where it goes another way far. */
export const levelsSchema = z
  .strictObject({
    repositories: z
      .record(
        z.string().regex(/^[A-Za-z0-9*-]+\/[A-Za-z0-9._*-]+$/, {
          error: 'write owner/name, with * for any characters, such as "acme/*"',
        }),
        level(),
      )
      .prefault({})
      .describe(
        "Levels of repositories in place of `level`, by `owner/name` patterns; the first that matches counts.",
      ),
    labels: z
      .record(z.string().min(1), level())
      .prefault({})
      .describe("Levels by an issue's labels. A label only lowers what holds in the repository."),
  })
  .prefault({})
  .describe("Where Flotilla goes less far, or further, than `level`.");
