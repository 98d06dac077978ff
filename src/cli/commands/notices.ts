import { resolve } from "node:path";
import { z } from "zod";
import { createNotices } from "../../adapters/notices/create-notices.ts";
import { readSettings } from "../../config/read-settings.ts";
import { messageOf, OutsideError, StartupRefused } from "../../domain/kernel/errors.ts";
import { fullName } from "../../domain/kernel/repository.ts";
import type { EffectRow } from "../../domain/kernel/rows.ts";
import { noticeMessage } from "../../domain/notices/notice-message.ts";
import { systemClock } from "../../server/system-clock.ts";
import { ask, operator } from "../ask.ts";
import type { Command, CommandContext } from "../command.ts";
import { reading } from "../data-directory.ts";
import { DECLARED } from "../declared.ts";
import { LIMIT, LIMIT_FAULT, limitTyped } from "../print-list.ts";
import { refused, unknownVerb } from "../refused.ts";
import { printTable } from "../table.ts";

const VERBS = ["list", "try", "retry"] as const;
const SHOWN = 100;

export const notices: Command = {
  name: "notices",
  summary: "list what receivers outside of GitHub were told, send one a test, or send a failed notice again",
  usage: [
    "flotilla notices [list] [--limit 500]",
    "       flotilla notices try <receiver>",
    "       flotilla notices retry <id>",
  ].join("\n"),
  details: [
    "Receivers are named below `notices` in the configuration; docs/notices.md says how. `try` posts a test message from this machine, even in quiet hours.",
  ],
  verbs: {
    list: "list the newest 100 with their outcome; reads the database and works while Flotilla is stopped",
    try: "send a receiver a test message",
    retry: "have the running Flotilla send a notice again that failed",
  },
  options: { limit: { ...LIMIT, says: "list this many instead of 100", of: ["list"] } },
  examples: ["flotilla notices", "flotilla notices try team", "flotilla notices retry 4711"],
  async run(context) {
    const [verb = "list", ...rest] = context.args;
    if (verb === "list") return list(context);
    if (verb === "try") return tryReceiver(context, rest);
    if (verb === "retry") return retry(context, rest);
    return unknownVerb(context, "notices", verb, VERBS);
  },
};

async function list(context: CommandContext): Promise<number> {
  const { print, options } = context;
  const most = limitTyped(context);
  if (most === null) return refused(context, LIMIT_FAULT);
  await reading(context, async (store) => {
    const rows = await store.effects.find({ kind: "notify" });
    const newest = rows.slice(-(Number.isFinite(most) ? most : SHOWN)).toReversed();
    const names = new Map((await store.repositories.all()).map((one) => [one.id, fullName(one)]));
    const nameOf: NameOf = ({ repositoryId }) => names.get(repositoryId) ?? `repository ${repositoryId}`;
    if (options["json"] === true)
      print(JSON.stringify({ notices: newest.map((row) => json(row, nameOf(row))) }));
    else if (newest.length === 0) print("No notices.");
    else
      printTable(
        print,
        ["CREATED", "ID", "RECEIVER", "EVENT", "ISSUE", "STATE", "NOTE"],
        newest.map((row) => cells(row, nameOf(row))),
      );
  });
  return 0;
}

type NameOf = (row: EffectRow) => string;

const STATE_WORDS: Readonly<Record<EffectRow["state"], string>> = {
  pending: "waits",
  leased: "being sent",
  done: "sent",
  failed: "failed",
  skipped: "left out",
};
const outcome = z.looseObject({ notices: z.int() });

function stateOf({ state, result }: EffectRow): string {
  const nothing = state === "done" && outcome.safeParse(result).data?.notices === 0;
  return nothing ? STATE_WORDS.skipped : STATE_WORDS[state];
}

function json(row: EffectRow, repository: string): object {
  const { id, issue, createdAt, error, payload } = row;
  const { receiver, event } = payload.kind === "notify" ? payload : { receiver: "", event: "" };
  return {
    id,
    receiver,
    event,
    repository,
    issue,
    state: stateOf(row),
    created_at: new Date(createdAt).toISOString(),
    error,
  };
}

function cells(row: EffectRow, repository: string): readonly string[] {
  const { receiver, event } = row.payload.kind === "notify" ? row.payload : { receiver: "", event: "" };
  return [
    new Date(row.createdAt).toISOString(),
    String(row.id),
    receiver,
    event,
    `${repository}#${row.issue}`,
    stateOf(row),
    row.state === "done" ? "" : (row.error ?? ""),
  ];
}

async function tryReceiver(context: CommandContext, [name, ...rest]: readonly string[]): Promise<number> {
  const { env, cwd, print, options } = context;
  if (name === undefined || rest.length > 0)
    return refused(context, "Run `flotilla notices try <receiver>`.");
  const path = resolve(cwd, env["FLOTILLA_CONFIG"] || "config.yaml");
  const { settings, noticeAddresses, faults } = readSettings({ path, cwd, variables: env, ...DECLARED });
  if (settings === undefined) throw new StartupRefused(faults);
  const receiver = settings.notices[name];
  if (receiver === undefined) {
    const known = Object.keys(settings.notices);
    return refused(
      context,
      `There is no receiver "${name}".`,
      known.length === 0
        ? "To add one, write it under `notices` in the configuration; docs/notices.md says how."
        : `The configuration names ${known.join(", ")}.`,
    );
  }
  const at = systemClock.now();
  const text = "This is a test of notices. Nothing needs you.";
  const test = { event: "ready", at, repository: "flotilla/test", issue: 1, title: null, text } as const;
  const body = noticeMessage(receiver.format, [{ ...test, url: "https://github.com", page: null }]);
  try {
    await createNotices(noticeAddresses, { clock: systemClock }).send({
      receiver: name,
      id: `msg_test_${at}`,
      body,
    });
  } catch (error) {
    const advice = error instanceof OutsideError ? error.advice : undefined;
    return refused(context, `Nothing was sent: ${messageOf(error)}.`, advice, "not_sent");
  }
  print(
    options["json"] === true ? JSON.stringify({ receiver: name, sent: true }) : `A test was sent to ${name}.`,
  );
  return 0;
}

function retry(context: CommandContext, [id, ...rest]: readonly string[]): Promise<number> {
  if (id === undefined || rest.length > 0 || !/^[1-9]\d{0,14}$/.test(id))
    return Promise.resolve(
      refused(context, "Run `flotilla notices retry <id>`.", "`flotilla notices` lists the ids."),
    );
  const body = { effect: Number(id), kind: "notify", by: operator() };
  return ask(context, "/effects/replay", body, () => `The notice ${id} is sent again.`);
}
