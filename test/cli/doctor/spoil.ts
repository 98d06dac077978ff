import { mkdirSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import SqliteDatabase from "better-sqlite3";
import { vi } from "vitest";
import { openStore } from "../../../src/adapters/store/sqlite/open.ts";
import { aRepositoryFile } from "../../factories/a-repository-file.ts";
import type { Place } from "./place.ts";

export interface SetUp {
  readonly name: string;
  readonly spoil: (place: Place) => void | Promise<void>;
  /** The one line that must be said: what, why it matters, what to do. */
  readonly says: RegExp;
  /** What follows from the fault and may be said, too. */
  readonly also?: RegExp;
}

export function app(change: object): SetUp["spoil"] {
  return ({ ground: { github }, undo }) => {
    const { permissions, events } = github.app;
    Object.assign(github.app, change);
    undo.push(() => void Object.assign(github.app, { permissions, events }));
  };
}

/** The webhooks' address answers so, or lies elsewhere; the last delivery is tried there. */
export function hook(change: {
  readonly url?: string;
  readonly secret?: string;
  readonly answer?: number;
}): SetUp["spoil"] {
  return async ({ ground, undo }) => {
    const { url, secret } = ground.github.app.hook;
    undo.push(() => {
      ground.answers.webhooks = 202;
      ground.github.setWebhook({ url, secret });
    });
    ground.answers.webhooks = change.answer ?? 202;
    ground.github.setWebhook({ url: change.url ?? url, secret: change.secret ?? secret });
    await ground.tell();
  };
}

export function env(change: Readonly<Record<string, string>>): SetUp["spoil"] {
  return (place) => void Object.assign(place.env, change);
}

export function config(text: string): SetUp["spoil"] {
  return (place) => place.configure(text);
}

export function database(change: (database: SqliteDatabase.Database) => void): SetUp["spoil"] {
  return ({ home }) => {
    const opened = new SqliteDatabase(join(home, "data/flotilla.db"));
    change(opened);
    opened.close();
  };
}

/** The repository's own file, as it was read last. */
export function repositoryConfig(faults: readonly string[]): SetUp["spoil"] {
  return async ({ ground, home }) => {
    const store = await openStore({ path: join(home, "data/flotilla.db") });
    const { id } = ground.github.state().repository;
    await store.repositoryFiles.put(aRepositoryFile({ repositoryId: id, faults, source: "9f8e7d6 -" }));
    await store.close();
  };
}

/** Only these programs are on PATH, beside what `git` of the machine needs. */
export function path(scripts: Readonly<Record<string, string>>): SetUp["spoil"] {
  return ({ home, put, undo }) => {
    const gits = (process.env["PATH"] ?? "").split(delimiter).map((directory) => join(directory, "git"));
    mkdirSync(join(home, "bin"));
    const find = `for git in ${gits.join(" ")}; do [ -x $git ] && exec $git "$@"; done\n`;
    for (const [name, script] of Object.entries({ git: "", ...scripts }))
      put(`bin/${name}`, `#!/bin/sh\n${script}\n${name === "git" ? find : ""}`, 0o700);
    for (const name of ["sh", "echo"]) symlinkSync(`/bin/${name}`, join(home, "bin", name));
    vi.stubEnv("PATH", join(home, "bin"));
    undo.push(() => void vi.unstubAllEnvs());
  };
}

export const ROLE = "lifecycle: persistent, triggers: [{ event: issues.labeled, label: wish }]";

/** The line of config.yaml with this provider and model; the price is of `priced`. */
export function runtime(port: number, model: string, priced = model): string {
  const provider = `{ type: openai, base_url: "http://127.0.0.1:${port}/v1", api_key_env: MODEL_API_KEY }`;
  return `runtime: { provider: ${provider}, model: ${model}, prices: { ${priced}: { in: 2, cached: 0.5, out: 8 } } }`;
}
