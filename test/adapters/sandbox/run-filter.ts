/** What the kernel would show a seccomp program of one system call. */
interface AskedCall {
  readonly architecture: number;
  readonly number: number;
  /** The first argument. */
  readonly argument: number;
}

/** Runs a seccomp program as the kernel does, so that one for another machine can be tried; returns its verdict. */
export function runFilter(program: Buffer, { architecture, number, argument }: AskedCall): number {
  const data = new Map([
    [0, number],
    [4, architecture],
    [16, argument],
  ]);
  let loaded = 0;
  for (let at = 0; at < program.length / 8; at += 1) {
    const code = program.readUInt16LE(8 * at);
    const value = program.readUInt32LE(8 * at + 4);
    const jump = (holds: boolean): number => program.readUInt8(8 * at + (holds ? 2 : 3));
    if (code === 0x06) return value;
    else if (code === 0x20) loaded = (data.get(value) ?? 0) >>> 0;
    else if (code === 0x15) at += jump(loaded === value);
    else if (code === 0x35) at += jump(loaded >= value);
    else if (code === 0x45) at += jump((loaded & value) !== 0);
    else throw new Error(`the filter has a step that nobody knows: ${code}`);
  }
  throw new Error("the filter ended without a verdict");
}
