import type { RepositoryOptions } from "../../../src/demo/github/create-world.ts";
import type { StagePlace } from "../../../src/demo/stage.ts";
import type { Conversations } from "../../journeys/a-scenario.ts";
import type { Scene } from "./scene.ts";
import type { Finding } from "./verdict.ts";

/** What a story needs before the process starts. */
export interface Setting {
  readonly conversations: Conversations;
  readonly config?: Readonly<Record<string, unknown>>;
  /** More keys of the configuration, which depend on the place. */
  readonly configure?: (place: StagePlace) => Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  /** More repositories of the same installation. */
  readonly beside?: readonly RepositoryOptions[];
  /** Ends what the setting has started. */
  readonly close?: () => Promise<void>;
}

/** A story that is played once, for several complaints. */
export interface Story {
  /** What is played, in a sentence. */
  readonly played: string;
  /** The numbers of the complaints that it judges. */
  readonly judges: readonly number[];
  readonly setting: () => Setting | Promise<Setting>;
  /** Plays it. Returns how to judge each complaint by what was seen. */
  readonly run: (scene: Scene) => Promise<(complaint: number) => Finding>;
}

/** A check of one complaint, by what was seen of the story. */
type Check<Seen> = (seen: Seen) => Finding;

export function story<Seen>(told: {
  readonly played: string;
  readonly setting: Story["setting"];
  /** Plays it and returns what was seen; waits only so long for what a check asks about. */
  readonly play: (scene: Scene) => Promise<Seen>;
  readonly checks: Readonly<Record<number, Check<Seen>>>;
}): Story {
  const checks = new Map(Object.entries(told.checks).map(([number, check]) => [Number(number), check]));
  return {
    played: told.played,
    judges: [...checks.keys()],
    setting: told.setting,
    async run(scene) {
      const seen = await told.play(scene);
      return (complaint) => checks.get(complaint)?.(seen) ?? { holds: [] };
    },
  };
}
