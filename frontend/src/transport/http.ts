/** One request to `/v1/`: JSON in and out, CSRF, problem details as errors. */

export interface Fault {
  path?: string | (string | number)[];
  message: string;
  code?: string;
}

/** What the server says with `application/problem+json`: a refusal in words (docs/contracts.md, section 6). */
export class ProblemError extends Error {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly errors: Fault[];
  readonly body: { [key: string]: unknown };

  constructor(status: number, body: { [key: string]: unknown }) {
    const text = (name: string): string => (typeof body[name] === "string" ? body[name] : "");
    super(text("detail") || text("title") || `The server answered ${status}.`);
    this.name = "ProblemError";
    this.status = status;
    this.code = text("code");
    this.detail = this.message;
    this.errors = Array.isArray(body.errors) ? (body.errors as Fault[]) : [];
    this.body = body;
  }
}

/** The server could not be reached: nothing is known of what happened there. */
export class OfflineError extends Error {
  constructor(cause: unknown) {
    super("The server cannot be reached.", { cause });
    this.name = "OfflineError";
  }
}

export interface Answer<T> {
  status: number;
  data: T;
  etag: string | null;
  location: string | null;
}

export interface RequestOptions {
  body?: unknown;
  headers?: { [name: string]: string };
  signal?: AbortSignal;
}

const SAFE = new Set(["GET", "HEAD", "OPTIONS"]);

/** The CSRF token: from the page's `<meta name="csrf-token">`, else from Django's cookie. */
export function csrfToken(): string {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="csrf-token"]')?.content;
  if (meta) return meta;
  return decodeURIComponent(/(?:^|;\s*)csrftoken=([^;]*)/.exec(document.cookie)?.[1] ?? "");
}

function headersFor(method: string, options: RequestOptions): Headers {
  const headers = new Headers({ Accept: "application/json", ...options.headers });
  if (options.body !== undefined) headers.set("Content-Type", "application/json");
  if (!SAFE.has(method)) {
    headers.set("X-CSRFToken", csrfToken());
  }
  return headers;
}

async function readBody(response: Response): Promise<unknown> {
  if (response.status === 204) return null;
  const text = await response.text();
  if (text === "") return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/**
 * Sends one request and gives the whole answer.
 * @throws ProblemError for 4xx and 5xx, OfflineError when nobody answered.
 */
export async function request<T>(method: string, path: string, options: RequestOptions = {}): Promise<Answer<T>> {
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      credentials: "same-origin",
      headers: headersFor(method, options),
      ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
      ...(options.signal ? { signal: options.signal } : {}),
    });
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === "AbortError") throw cause;
    throw new OfflineError(cause);
  }
  const data = await readBody(response);
  if (!response.ok) {
    const body = typeof data === "object" && data !== null ? (data as { [key: string]: unknown }) : {};
    throw new ProblemError(response.status, body);
  }
  const { headers, status } = response;
  return { status, data: data as T, etag: headers.get("ETag"), location: headers.get("Location") };
}

export async function get<T>(path: string, options: RequestOptions = {}): Promise<T> {
  return (await request<T>("GET", path, options)).data;
}
export async function post<T>(path: string, body: unknown, headers: { [name: string]: string } = {}): Promise<T> {
  return (await request<T>("POST", path, { body, headers })).data;
}
export async function patch<T>(path: string, body: unknown): Promise<T> {
  return (await request<T>("PATCH", path, { body })).data;
}
export async function del(path: string): Promise<void> {
  await request<null>("DELETE", path);
}

/** A new id: of a row, a batch, or an idempotency key. */
export const newId = (): string => {
  if (typeof crypto.randomUUID === "function") return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
};
