import { z } from "zod";
import type { GitHub } from "../core/ports/github.ts";
import { at, pages } from "./pages.ts";
import type { Room } from "./room.ts";

/** What a pull request changes, and what stands in it. */
export function createPullBodies({ on }: Room): Pick<GitHub, "pullRequestFiles" | "setPullRequestBody"> {
  return {
    async pullRequestFiles(repository, number) {
      const files = pages(
        (page) => on(repository).pulls.listFiles({ ...at(repository), pull_number: number, ...page }),
        z.array(z.object({ filename: z.string().min(1) })),
      );
      return Array.fromAsync(files, ({ filename }) => filename);
    },

    async setPullRequestBody(repository, number, body) {
      await on(repository).pulls.update({ ...at(repository), pull_number: number, body });
    },
  };
}
