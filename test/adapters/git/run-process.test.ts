import { expect, it } from "vitest";
import { runProcess } from "../../../src/adapters/git/process/run-process.ts";

const sh = (line: string) => ({
  file: "/bin/sh",
  args: ["-c", line],
  cwd: "/",
  env: { PATH: process.env["PATH"] ?? "" },
});
const LONG_MS = 60_000;

it("gives the input, both outputs and the exit code", async () => {
  expect(await runProcess(sh("cat; echo aside >&2; exit 3"), { input: "given", limitMs: LONG_MS })).toEqual({
    code: 3,
    stdout: "given",
    stderr: "aside\n",
    cut: null,
  });
});

it("kills all of it when its time is over", async () => {
  const end = await runProcess(sh("sleep 600 & sleep 600"), { input: "", limitMs: 20 });
  expect(end).toMatchObject({ code: null, cut: "too_slow" });
});

it("kills it when it prints too much", async () => {
  const end = await runProcess(sh("while :; do head -c 8388608 /dev/zero; done"), {
    input: "",
    limitMs: LONG_MS,
  });
  expect(end).toMatchObject({ code: null, cut: "too_much" });
});

it("says what keeps it from starting, and minds no input that is not read", async () => {
  await expect(runProcess({ ...sh(""), file: "/nowhere" }, { input: "", limitMs: LONG_MS })).rejects.toThrow(
    "ENOENT",
  );
  expect(await runProcess(sh("exec true"), { input: "x".repeat(1_000_000), limitMs: LONG_MS })).toMatchObject(
    { code: 0 },
  );
});
