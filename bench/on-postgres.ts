import { fork } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { Client } from "pg";
import { type PostgresServer, serverPrograms, startPostgres } from "../test/postgres/server.ts";
import type { Bench, Row, Size } from "./bench.ts";
import { measureIntake } from "./intake.ts";
import { wakesOnPostgres } from "./wakes-on-postgres.ts";
import { inTemporary } from "./work.ts";

/**
 * Measures the same on a PostgreSQL server on this machine, with its files on the disk and commits that wait for it:
 * webhooks, beside the file; and facts and wakes, by one process and by several on one database.
 */
export const onPostgres: Bench = {
  name: "postgres",
  about:
    "webhooks, facts and wakes on a PostgreSQL server here, beside a file and one process (none without a server)",
  async run(size) {
    if (serverPrograms() === undefined) return [];
    const server = await startPostgres([], tmpdir());
    try {
      return [
        ...(await webhooks(server, size)),
        ...(await facts(server, size)),
        ...(await wakesOnPostgres(() => newDatabase(server), size)),
      ];
    } finally {
      await server.remove();
    }
  },
};

const SIZES = {
  full: { rounds: 3, facts: 600, processes: [2, 4] },
  small: { rounds: 1, facts: 4, processes: [2] },
} as const;

async function webhooks(server: PostgresServer, size: Size): Promise<readonly Row[]> {
  const ours: number[] = [];
  const file: number[] = [];
  for (let round = 0; round < SIZES[size].rounds; round += 1) {
    const inFile = await inTemporary((directory) => measureIntake("file", directory, size));
    file.push(inFile.requests.average);
    const onServer = await measureIntake("server", await newDatabase(server), size);
    ours.push(onServer.requests.average);
  }
  return [
    { what: "webhooks answered", unit: "per second", ours, reference: { name: "SQLite file", rounds: file } },
  ];
}

async function facts(server: PostgresServer, size: Size): Promise<readonly Row[]> {
  const { rounds, processes } = SIZES[size];
  const one: number[] = [];
  const several = processes.map((count) => ({ count, perSecond: [] as number[] }));
  for (let round = 0; round < rounds; round += 1) {
    one.push(await factsPerSecond(server, 1, size));
    for (const { count, perSecond } of several) perSecond.push(await factsPerSecond(server, count, size));
  }
  return several.map(({ count, perSecond }) => ({
    what: `an issue gets its label, ${count} processes on one database`,
    unit: "per second",
    ours: perSecond,
    reference: { name: "1 process", rounds: one },
  }));
}

/** The facts that so many processes together take in each second. */
async function factsPerSecond(server: PostgresServer, processes: number, size: Size): Promise<number> {
  const url = await newDatabase(server);
  const each = Math.ceil(SIZES[size].facts / processes);
  const running = [];
  // One after the other: the first makes the tables.
  for (let at = 0; at < processes; at += 1) running.push(await startProcess(url, 1 + at * each, each));
  try {
    const took = await Promise.all(running.map(({ run }) => run()));
    return (1000 * each * processes) / Math.max(...took);
  } finally {
    for (const { kill } of running) kill();
  }
}

async function startProcess(url: string, first: number, count: number) {
  const child = fork(new URL("fact-process.ts", import.meta.url), [url, String(first), String(count)], {
    execArgv: [],
  });
  const gone = once(child, "exit").then(([code]) => {
    throw new Error(`a process that takes facts in ended with ${String(code)} before it was done`);
  });
  gone.catch(() => {});
  const said = () => Promise.race([once(child, "message"), gone]);
  await said();
  return {
    run: async (): Promise<number> => {
      child.send("go");
      const [{ ms }] = await said();
      return Number(ms);
    },
    kill: () => child.kill("SIGKILL"),
  };
}

let made = 0;

async function newDatabase({ url }: PostgresServer): Promise<string> {
  made += 1;
  const name = `bench_${made}`;
  const client = new Client({ connectionString: `${url}/postgres` });
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  return `${url}/${name}`;
}
