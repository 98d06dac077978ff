import { LRUCache } from "lru-cache";
import { z } from "zod";
import { GitHubError } from "../../../domain/kernel/errors.ts";
import { fullName, type RepositoryRef } from "../../../domain/kernel/repository.ts";
import type { GitHub } from "../../../domain/ports/github.ts";
import { at, pages } from "../client/pages.ts";
import type { Room } from "../client/room.ts";

/** A label of ours; `color` is six hexadecimal digits, with or without a leading `#`. */
export interface OwnLabel {
  readonly name: string;
  readonly color: string;
  readonly description: string;
}

/** How long a label that was there counts as there: if a person deletes it meanwhile, GitHub makes it again, in grey. */
const KNOWN_FOR_MS = 10 * 60_000;
const REMEMBERED = 5_000;

const labelsShape = z.array(z.object({ name: z.string().min(1) }));

/** Creates the operations on labels: reads those of a repository, puts them on an issue, takes one off. */
export function createLabels(
  room: Room,
  ownLabels: readonly OwnLabel[],
): Pick<GitHub, "labels" | "addLabels" | "addExistingLabels" | "removeLabel"> {
  const { on, clock } = room;
  /** Until when a label counts as there, in milliseconds since the epoch. */
  const known = new LRUCache<string, number>({ max: REMEMBERED });

  async function all(repository: RepositoryRef): Promise<readonly string[]> {
    const labels = pages(
      (page) => on(repository).issues.listLabelsForRepo({ ...at(repository), ...page }),
      labelsShape,
    );
    return Array.fromAsync(labels, ({ name }) => name);
  }

  async function exists(repository: RepositoryRef, name: string): Promise<boolean> {
    try {
      await on(repository).issues.getLabel({ ...at(repository), name });
      return true;
    } catch (error) {
      if (error instanceof GitHubError && error.code === "not_found") return false;
      throw error;
    }
  }

  async function create(repository: RepositoryRef, label: OwnLabel): Promise<void> {
    try {
      await on(repository).issues.createLabel({
        ...at(repository),
        name: label.name,
        color: label.color.replace("#", ""),
        description: label.description,
      });
    } catch (error) {
      // Somebody else may have created it first, or an earlier attempt of ours whose answer was lost.
      if (error instanceof GitHubError && error.code === "invalid" && (await exists(repository, label.name)))
        return;
      throw error;
    }
  }

  async function add(repository: RepositoryRef, number: number, labels: readonly string[]): Promise<void> {
    if (labels.length === 0) return;
    await on(repository).issues.addLabels({ ...at(repository), issue_number: number, labels: [...labels] });
  }

  return {
    labels: all,

    async addLabels(repository, number, labels) {
      for (const name of labels) {
        const place = `${repository.id} ${name.toLowerCase()}`;
        if ((known.get(place) ?? 0) > clock.now()) continue;
        if (!(await exists(repository, name))) {
          // GitHub would create a grey label for any unknown name, so a typo would clutter the repository.
          const own = ownLabels.find((label) => sameName(label.name, name));
          if (!own) throw unknownLabel(repository, name);
          await create(repository, own);
        }
        known.set(place, clock.now() + KNOWN_FOR_MS);
      }
      await add(repository, number, labels);
    },

    async addExistingLabels(repository, number, labels) {
      const there = (await all(repository)).filter((name) => labels.some((label) => sameName(label, name)));
      await add(repository, number, there);
      return there;
    },

    async removeLabel(repository, number, label) {
      try {
        await on(repository).issues.removeLabel({ ...at(repository), issue_number: number, name: label });
      } catch (error) {
        if (!(error instanceof GitHubError) || error.code !== "not_found") throw error;
        // The same 404 may mean that the issue is gone, which the caller must know: then this read throws.
        await on(repository).issues.get({ ...at(repository), issue_number: number });
      }
    },
  };
}

/** Compares names of labels as GitHub does, ignoring case. */
function sameName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

function unknownLabel(repository: RepositoryRef, name: string): GitHubError {
  return new GitHubError("invalid", `${fullName(repository)} has no label "${name}"`, 404, {
    consequence: "stop",
    advice: `Use a label that exists, or create "${name}" in the repository first.`,
  });
}
