import type { OutsideError } from "../../src/domain/kernel/errors.ts";
import type { Notices } from "../../src/domain/ports/notices.ts";

export interface FakeNotices extends Notices {
  /** What was sent, the oldest first. */
  readonly sent: { readonly receiver: string; readonly id: string; readonly body: string }[];
  /** What the next attempts meet, each once; none is sent then. */
  readonly faults: OutsideError[];
}

export function createFakeNotices(): FakeNotices {
  const fake: FakeNotices = {
    sent: [],
    faults: [],
    send: (message) => {
      const fault = fake.faults.shift();
      if (fault !== undefined) return Promise.reject(fault);
      fake.sent.push(message);
      return Promise.resolve();
    },
  };
  return fake;
}
