import nock from "nock";
import { afterAll, afterEach, beforeEach } from "vitest";

/**
 * Sets up HTTP mocks; the only way to mock HTTP in unit tests. Call it at the top of a test file; it returns the
 * function that creates mocks. No request leaves the process: a request without a mock fails its test, and so does an
 * unused mock.
 */
export function mockHttp(origin: string): (options?: nock.Options) => nock.Scope {
  const unexpected: string[] = [];
  const note = ({ method, url }: Request): void => {
    unexpected.push(`${method} ${url}`);
  };

  beforeEach(() => {
    if (!nock.isActive()) nock.activate();
    nock.disableNetConnect();
    nock.emitter.on("no match", note);
  });

  afterEach(() => {
    const unused = nock.pendingMocks();
    const missing = unexpected.splice(0);
    nock.cleanAll();
    nock.emitter.off("no match", note);
    const faults = [
      ...missing.map((request) => `No mock for ${request}: add one, or stop the code from asking.`),
      ...unused.map((mock) => `Mock never used: ${mock}: remove it, or find out why nobody asks.`),
    ];
    if (faults.length > 0) throw new Error(faults.join("\n"));
  });

  afterAll(() => {
    nock.enableNetConnect();
    nock.restore();
  });

  return (options) => nock(origin, options);
}
