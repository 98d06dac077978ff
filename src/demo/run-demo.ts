import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { messageOf } from "../domain/kernel/errors.ts";
import { play } from "./play.ts";
import { readScenario } from "./read-scenario.ts";
import { type Stage, setStage } from "./stage.ts";
import { repositoryUrl, summary } from "./summary.ts";
import { Timeline } from "./timeline.ts";

/**
 * Runs the demo: a local GitHub, a scripted model, and a real Flotilla between them. Returns the exit code. With `once`
 * it ends after the scenario; otherwise it runs until `stop` resolves.
 */
export async function runDemo(options: {
  readonly scenario: string;
  readonly once: boolean;
  /** Why agents are not confined; null if they are. */
  readonly unconfined: string | null;
  /** Prints one line. Line breaks in the text do not count. */
  readonly print: (line: string) => void;
  readonly stop: Promise<unknown>;
}): Promise<number> {
  const { print } = options;
  const after = (line: string): void => ["", line].forEach((one) => print(one));
  const scenario = readScenario(options.scenario);
  const directory = mkdtempSync(join(tmpdir(), "flotilla-demo-"));
  let stage: Stage | undefined;
  try {
    print(`Flotilla's demo: ${scenario.title}.`);
    print(
      `A local GitHub, a scripted model, and the real Flotilla, runtime, git and database. ${howConfined(options.unconfined)}`,
    );
    const timeline = new Timeline(print);
    stage = await setStage({ scenario, directory, confined: options.unconfined === null });
    timeline.say(`GitHub ${stage.github.origin}  Flotilla ${stage.dashboard()}  model ${stage.model.url}`);
    timeline.follow(stage.api);
    const ended = await ending(
      play(stage, scenario, (what) => timeline.say(what)),
      options.stop,
    );
    await timeline.end(stage.api);
    for (const line of await summary(stage, timeline.seconds())) print(line);
    if (ended !== null) after(`The scenario did not end as it should: ${ended}`);
    const forbidden = stage.github.violations().length;
    if (forbidden > 0) after(`${forbidden} calls were made that GitHub's limits forbid.`);
    if (!options.once && ended === null) {
      after(`Dashboard: ${stage.dashboard()}`);
      print(`GitHub:    ${repositoryUrl(stage)}`);
      print("Everything stays up: open these addresses in a browser. Ctrl-C ends it.");
      await options.stop;
    }
    return ended === null && stage.github.violations().length === 0 ? 0 : 2;
  } catch (error) {
    print(`The demo could not run: ${messageOf(error)}`);
    return 2;
  } finally {
    await stage?.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

function howConfined(unconfined: string | null): string {
  return unconfined === null ? "Agents run in the sandbox." : `Agents run unconfined here: ${unconfined}.`;
}

/** Returns null if the story came to its end, otherwise why not. */
async function ending(story: Promise<void>, stop: Promise<unknown>): Promise<string | null> {
  return Promise.race([
    story.then(
      () => null,
      (error: unknown) => messageOf(error),
    ),
    stop.then(() => "it was interrupted"),
  ]);
}
