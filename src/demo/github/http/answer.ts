/** A route's answer. It has no body if both `json` and `text` are undefined. */
export interface Answer {
  readonly status: number;
  readonly json?: unknown;
  readonly text?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

const documentation = "https://docs.github.com/rest";

export function ok(json: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status: 200, json, headers };
}

export function created(json: unknown): Answer {
  return { status: 201, json };
}

export const noContent: Answer = { status: 204 };

/** A refusal with GitHub's error body. Acts and routes throw it; the front answers it. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly headers: Readonly<Record<string, string>>;
  constructor(
    status: number,
    message: string,
    extra: Record<string, unknown> = {},
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.status = status;
    this.headers = headers;
    this.body = { message, ...extra, documentation_url: documentation, status: String(status) };
  }
}

export function notFound(): ApiError {
  return new ApiError(404, "Not Found");
}

export function forbidden(message = "Resource not accessible by integration"): ApiError {
  return new ApiError(403, message);
}

/** Creates a 422 with one entry in `errors`: GitHub's code for the field, or `custom` with a message. */
export function invalid(
  resource: string,
  field: string,
  why: { code: "missing" | "missing_field" | "invalid" | "already_exists" } | { message: string },
): ApiError {
  const code = "code" in why ? why.code : "custom";
  const text = "message" in why ? { message: why.message } : {};
  return new ApiError(422, "Validation Failed", { errors: [{ resource, code, field, ...text }] });
}
