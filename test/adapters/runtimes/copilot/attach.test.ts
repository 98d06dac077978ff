import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createRig, longMs } from "../../../contracts/agent-runtime-rig.ts";
import { confinedRunner, describeConfined } from "../../sandbox/bubblewrap-here.ts";
import { startCopilot } from "./copilot-harness.ts";

/**
 * Tries each process that the shell sees: to trace it, to write its memory, to open its streams for writing, to copy their
 * descriptors, and to open its debugger. One line for each success; `looked` tells how many processes there were.
 */
const ATTACH = String.raw`
use strict; my @pids = grep { $_ != $$ } map { m{^/proc/(\d+)$} ? $1 : () } glob "/proc/[0-9]*";
open(my $out, ">", "attached.txt");
for my $fd (0 .. 40) { my $to = readlink("/proc/$$/fd/$fd") // ""; print $out "the shell: has $to\n" if $to =~ /^socket/; }
for my $pid (@pids) {
  open(my $c, "<", "/proc/$pid/cmdline") or next; my $line = <$c> // ""; next if $line =~ /^(?:perl|\/bin\/bash|bash|sh)/;
  my ($name) = split /\0/, $line; $name =~ s{.*/}{}; print $out "looked $name\n";
  print $out "$name: traced\n" if syscall(101, 0x4206, $pid, 0, 0) == 0;
  print $out "$name: memory written\n" if open(my $m, "+<", "/proc/$pid/mem");
  my $pidfd = syscall(434, $pid, 0);
  for my $fd (0 .. 40) {
    my $to = readlink("/proc/$pid/fd/$fd") // next;
    print $out "$name: descriptor $fd copied ($to)\n" if $pidfd >= 0 && syscall(438, $pidfd, $fd, 0) >= 0;
    print $out "$name: $to opened\n" if $to =~ /^(?:pipe|socket)/ && $fd < 3 && open(my $f, ">", "/proc/$pid/fd/$fd");
  }
  open(my $maps, "<", "/proc/$pid/maps") or next;
  while (<$maps>) { print $out "$name: maps $1\n" if m{ (/\S+)$} && $1 !~ m{^/dev/} && open(my $w, ">>", $1); }
}
`;

describeConfined("a shell of the agent, in the sandbox", () => {
  test("cannot attach to the runtime that started it, nor to what stands between that and us", async ({
    onTestFinished,
  }) => {
    const command = `perl -e '${ATTACH}'`;
    const steps = [{ call: [{ tool: "bash", args: { command, description: "Look" } }] }, { say: "Done." }];
    const harness = await startCopilot({ conversations: [{ match: "", steps }] }, { runner: confinedRunner });
    const rig = createRig(harness);
    onTestFinished(rig.close);
    const { session, spec } = await rig.open();
    await session.exchange("do the work", { deadlineMs: longMs });
    const lines = readFileSync(join(spec.workingDirectory, "attached.txt"), "utf8").trim().split("\n");
    const looked = lines.filter((line) => line.startsWith("looked "));
    expect(looked).toContain("looked copilot-runtime");
    expect(looked.length).toBeGreaterThan(1);
    expect(lines.filter((line) => !line.startsWith("looked "))).toEqual([]);
  }, 60_000);
});
