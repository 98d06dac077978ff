import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Preset } from "../../../../src/adapters/runtimes/acp/preset.ts";
import { SavedConversation } from "../../../../src/adapters/runtimes/acp/saved-conversation.ts";
import { messageOf } from "../../../../src/domain/kernel/errors.ts";
import { temporaryDirectory } from "../../store/temporary.ts";

const FILES = ["state/*/{id}.jsonl", "state/index"];
const LONG = `The issue #7 of "acme/web":\n${"the same words as ever, ".repeat(9)}and these are new`;

/** A conversation whose file says what `write` appends; `looked` has the next look made, after `first`. */
function given(resultOf?: Preset["conversation"]["resultOf"]) {
  const base = temporaryDirectory();
  const path = join(base, "state/p/a.jsonl");
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, "");
  const waiting: (() => void)[] = [];
  const told: string[] = [];
  const counted = { looks: 0 };
  const saved = new SavedConversation(
    { baseDirectory: base, id: "a" },
    { files: FILES, portable: true, ...(resultOf === undefined ? {} : { resultOf }) },
    {
      log: { debug: (_, text) => told.push(text), info() {}, warn() {}, error() {} },
      clock: {
        after: (_, fn) => {
          counted.looks += 1;
          waiting.push(fn);
          return () => {};
        },
      },
    },
  );
  const write = (text: string): void => appendFileSync(path, text);
  const looked = async (first: () => void = () => undefined): Promise<void> => {
    while (waiting.length === 0) await new Promise((next) => void setImmediate(next));
    first();
    waiting.shift()?.();
  };
  return { saved, told, counted, write, looked, path: join(base, "state/index") };
}

const resultOf = (id: string) => `"result_of":"${id}"`;
const line = (record: object) => `${JSON.stringify(record)}\n`;

it("a message is saved once its line is whole, whatever else is written before", async () => {
  const { saved, counted, write, looked } = given(resultOf);
  await saved.save([], () => true);
  expect(counted.looks).toBe(0);

  await saved.expectMessage("do the work");
  const first = saved.save([], () => true);
  await looked();
  await looked(() => write(line({ telemetry: "started" })));
  await looked(() => write('{"text":"do the work"'));
  await looked(() => write("}\n"));
  await first;
  expect(counted.looks).toBe(4);

  await saved.save([], () => true);
  expect(counted.looks).toBe(4);
});

it("a message is found by words that are new, however it is written", async () => {
  const { saved, counted, write, looked } = given(resultOf);
  write(line({ text: LONG.replace("and these are new", "") }));
  await saved.expectMessage(LONG);
  const one = saved.save([], () => true);
  await looked();
  // As other languages write JSON.
  await looked(() => write(line({ text: LONG }).replaceAll("#", "\\u0023").replaceAll("/", "\\/")));
  await one;
  expect(counted.looks).toBe(2);

  await saved.expectMessage("Ещё раз\n");
  const another = saved.save([], () => true);
  await looked();
  await looked(() => write(line({ text: "Ещё раз\n" })));
  await another;
  expect(counted.looks).toBe(4);

  // Nothing of it is new, so that any change must do.
  await saved.expectMessage(LONG);
  const again = saved.save([], () => true);
  await looked();
  await looked(() => write(line({ text: LONG })));
  await again;
  expect(counted.looks).toBe(6);
});

it("a result is saved once it stands in a file, which the call alone does not do", async () => {
  const { saved, counted, write, looked, path } = given(resultOf);
  write(line({ calls: ["c1", "c2"] }));
  const both = saved.save(["c1", "c2"], () => true);
  await looked();
  await looked(() => write(line({ result_of: "c1" })));
  // Of a file that is no lines of JSON, all counts.
  await looked(() => writeFileSync(path, JSON.stringify({ result_of: "c2" })));
  await both;
  expect(counted.looks).toBe(3);
  await saved.save(["c1", "c2"], () => true);
  expect(counted.looks).toBe(3);
});

it("an agent that does not write what it was told has not saved it, unless it is gone", async () => {
  const { saved, looked, write } = given(resultOf);
  await saved.expectMessage("do the work");
  let isRunning = true;
  const gone = saved.save([], () => isRunning);
  await looked();
  await looked(() => {
    isRunning = false;
  });
  await gone;

  write(line({ telemetry: "x" }));
  const never = saved.save([], () => true).catch(messageOf);
  for (let look = 0; look < 280; look += 1) await looked();
  expect(await never).toBe("the agent has not written its conversation yet");
});

it("of an agent of which nobody knows how it writes, any change counts, for some seconds at most", async () => {
  const { saved, counted, write, looked, told } = given();
  await saved.save(["c1"], () => true);
  expect(counted.looks).toBe(0);
  for (const expected of [() => saved.expectMessage("do the work"), () => saved.expectAnswer()]) {
    await expected();
    const written = saved.save([], () => true);
    await looked();
    await looked(() => write("x"));
    await written;
  }
  expect(counted.looks).toBe(4);

  await saved.expectAnswer();
  const never = saved.save([], () => true);
  for (let look = 0; look < 100; look += 1) await looked();
  await never;
  expect(told).toHaveLength(1);
});
