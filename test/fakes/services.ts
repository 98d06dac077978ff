import type { ServiceEnd, ServiceHost, ServiceStart } from "../../src/domain/ports/service-host.ts";

/** The services beside one command. */
interface FakeServiceHost extends ServiceHost {
  readonly started: ServiceStart[];
  /** Names of the services whose `ready` was run. */
  readonly tried: string[];
  isReleased: boolean;
  isClosed: boolean;
  /** Reports the end of a service. */
  end(end: ServiceEnd): void;
}

/** Services in memory. A service without an entry in `answers` is ready at once. */
export interface FakeServices {
  /** All hosts that were made, the latest last. */
  readonly hosts: readonly FakeServiceHost[];
  /** What each try of a service answers; at the last one it stays. `hang` never answers. */
  readonly answers: Map<string, (boolean | "hang")[]>;
  readonly logs: Map<string, string>;
  /** Called for each service that starts. */
  onStart: (service: ServiceStart, host: FakeServiceHost) => void;
  make(): FakeServiceHost;
  /** Resolves with true when the command may begin, and with false when it is stopped before. */
  released(host: ServiceHost, signal: AbortSignal): Promise<boolean>;
}

export function createFakeServices(): FakeServices {
  const hosts: FakeServiceHost[] = [];
  const waiting = new Map<ServiceHost, () => void>();
  const services: FakeServices = {
    hosts,
    answers: new Map(),
    logs: new Map(),
    onStart: () => {},
    make() {
      const listeners: ((end: ServiceEnd) => void)[] = [];
      const host: FakeServiceHost = {
        directory: "/fake/services",
        started: [],
        tried: [],
        isReleased: false,
        isClosed: false,
        start(service) {
          host.started.push(service);
          services.onStart(service, host);
        },
        async isReady(name) {
          host.tried.push(name);
          const answers = services.answers.get(name) ?? [true];
          const answer = answers.length > 1 ? answers.shift() : answers[0];
          return answer === "hang" ? new Promise<boolean>(() => {}) : answer === true;
        },
        log: async (name) => services.logs.get(name) ?? "",
        release() {
          host.isReleased = true;
          waiting.get(host)?.();
        },
        onEnd: (listener) => void listeners.push(listener),
        end(end) {
          for (const listener of listeners) listener(end);
        },
        close() {
          host.isClosed = true;
        },
      };
      hosts.push(host);
      return host;
    },
    released(host, signal) {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      if (hosts.find((one) => one === host)?.isReleased === true) resolve(true);
      else if (signal.aborted) resolve(false);
      waiting.set(host, () => resolve(true));
      signal.addEventListener("abort", () => resolve(false));
      return promise;
    },
  };
  return services;
}
