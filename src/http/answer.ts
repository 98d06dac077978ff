/** An HTTP answer: JSON, or bytes with their type in `headers`, which are added to those of all answers. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export const ok = (body: unknown): Answer => ({ status: 200, body });

export const NOT_FOUND: Answer = {
  status: 404,
  body: {
    error: "not_found",
    hint: "there is none by this name, or you may not read it; GET /api/overview, /api/agents, /api/tasks and /api/deliveries list what there is",
  },
};
export const UNAUTHORIZED: Answer = {
  status: 401,
  body: {
    error: "unauthorized",
    hint: "send Authorization: Bearer <DASHBOARD_TOKEN>, or a token that you made at /token",
  },
};

/** Answers after too many wrong tokens. The right token is still accepted. */
export function tooManyFailures(seconds: number): Answer {
  return {
    status: 429,
    body: {
      error: "too_many_failures",
      hint: "this token is wrong or has ended; the right one is accepted at once",
    },
    headers: { "retry-after": `${seconds}` },
  };
}

export function forbidden(why: string, hint: string): Answer {
  return { status: 403, body: { error: "forbidden", why, hint } };
}
