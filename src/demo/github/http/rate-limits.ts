const hourMs = 3600 * 1000;

export interface RateLimit {
  readonly limit: number;
  readonly remaining: number;
  readonly used: number;
  /** Seconds since the epoch. */
  readonly reset: number;
}

/** GitHub's primary limit: requests per hour of one token. */
export interface RateLimits {
  readonly current: (token: string) => RateLimit;
  /** Counts one request. If `used` exceeds `limit`, the request must be refused. */
  readonly count: (token: string) => RateLimit;
}

export function createRateLimits(limit: number, nowMs: () => number): RateLimits {
  const windows = new Map<string, { used: number; until: number }>();
  const current = (token: string): { used: number; until: number } => {
    const found = windows.get(token);
    if (found !== undefined && found.until > nowMs()) return found;
    const fresh = { used: 0, until: nowMs() + hourMs };
    windows.set(token, fresh);
    return fresh;
  };
  const show = ({ used, until }: { used: number; until: number }): RateLimit => ({
    limit,
    remaining: Math.max(limit - used, 0),
    used,
    reset: Math.floor(until / 1000),
  });
  return {
    current: (token) => show(current(token)),
    count: (token) => {
      const window = current(token);
      window.used += 1;
      return show(window);
    },
  };
}

export function rateLimitHeaders(rate: RateLimit): Record<string, string> {
  return {
    "x-ratelimit-limit": String(rate.limit),
    "x-ratelimit-remaining": String(rate.remaining),
    "x-ratelimit-used": String(rate.used),
    "x-ratelimit-reset": String(rate.reset),
    "x-ratelimit-resource": "core",
  };
}
