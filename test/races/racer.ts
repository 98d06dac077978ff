import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { IN_C, IN_PERL } from "./exchange-source.ts";

/** One pair that is exchanged for ever: what lies at `first`, and a link at `link` to `target`. */
export interface Exchanged {
  /** What is made at `first` where it is gone; the link is made again too. */
  readonly as: "directory" | "file";
  readonly first: string;
  readonly link: string;
  readonly target: string;
}

export interface Racer {
  readonly pid: number;
  /** Returns how many exchanges it has made so far, at this very moment. */
  exchanges(): number;
  /** Stops it between two exchanges, until `resume`. */
  pause(): Promise<void>;
  resume(): void;
  /**
   * Makes the links again that the host has replaced by files or directories: a pair without a link attacks nothing.
   */
  renew(): Promise<void>;
  /** Ends the process; returns how many exchanges it made. */
  stop(): Promise<number>;
}

type Program = readonly [file: string, ...args: string[]];

let compiled: Program | undefined;

/** The C program where there is a compiler, else perl's, which comes with git. */
function program(): Program {
  compiled ??= inC() ?? inPerl();
  return compiled;
}

function inC(): Program | null {
  const directory = buildDirectory();
  const [source, binary] = [join(directory, "exchange.c"), join(directory, "exchange")];
  writeFileSync(source, IN_C);
  try {
    execFileSync("cc", ["-O2", "-o", binary, source], { stdio: "ignore" });
    return [binary];
  } catch {
    return null;
  }
}

export function inPerl(): Program {
  const script = join(buildDirectory(), "exchange.pl");
  writeFileSync(script, IN_PERL);
  return ["perl", script];
}

let allOfThem: string | undefined;

/** A directory that is gone when this process is. */
function buildDirectory(): string {
  if (allOfThem === undefined) {
    const directory = mkdtempSync(join(tmpdir(), "flotilla-racers-"));
    process.once("exit", () => rmSync(directory, { recursive: true, force: true }));
    allOfThem = directory;
  }
  return mkdtempSync(join(allOfThem, "racer-"));
}

/**
 * Starts a process that exchanges each pair as fast as it can, and returns once it has begun. Both of a pair must be on one
 * file system. It ends by itself when this process does.
 */
export async function startRacer(
  pairs: readonly Exchanged[],
  [file, ...args]: Program = program(),
  environment: Readonly<Record<string, string>> = {},
): Promise<Racer> {
  const words = pairs.flatMap(({ as, first, link, target }) => [
    as === "directory" ? "-d" : "-f",
    first,
    link,
    target,
  ]);
  const counter = join(buildDirectory(), "exchanges");
  const child = spawn(file, [...args, counter, ...words], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, ...environment },
  });
  const ended = endOf(child);
  const begun = new Promise<void>((resolve) => child.stdout.once("data", () => resolve()));
  await Promise.race([begun, ended]);
  if (child.pid === undefined || child.exitCode !== null) throw new Error("the racer did not start");
  const { pid } = child;
  const exchanges = () => Number(readFileSync(counter).readBigInt64LE());
  const pause = async () => {
    process.kill(pid, "SIGSTOP");
    while (stateOf(pid) !== "T") await setImmediate();
  };
  const resume = () => void process.kill(pid, "SIGCONT");
  return {
    pid,
    exchanges,
    pause,
    resume,
    async renew() {
      await pause();
      for (const pair of pairs) renewLink(pair);
      resume();
    },
    async stop() {
      if (child.exitCode === null) process.kill(pid, "SIGCONT");
      child.stdin.end();
      await ended;
      const made = exchanges();
      rmSync(dirname(counter), { recursive: true, force: true });
      return made;
    },
  };
}

const isLink = (path: string) => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;

function renewLink({ first, link, target }: Exchanged): void {
  if (isLink(first) || isLink(link)) return;
  rmSync(link, { recursive: true, force: true });
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(target, link);
}

/** As /proc has it: `T` of a process that is stopped. */
function stateOf(pid: number): string {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  return stat.charAt(stat.lastIndexOf(")") + 2);
}

function endOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("close", () => resolve());
    child.once("error", reject);
  });
}
