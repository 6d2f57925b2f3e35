import type { Method } from '@runward/contract';
import type { RunwardError } from './errors.ts';

/** What a client is made from. Everything may be left out when the environment names the key and the server. */
export interface ClientOptions {
  /** Default: the environment variable RUNWARD_API_KEY. Only endpoints that are open to everyone work without. */
  readonly apiKey?: string | undefined;
  /** Where the server is, with a path prefix if it has one. Default: RUNWARD_BASE_URL, else `http://127.0.0.1:3000`. */
  readonly baseUrl?: string | undefined;
  /** How long one attempt may take, both bodies included; a download, to its headers and between two parts. Default 30,000. */
  readonly timeoutMs?: number | undefined;
  /** How often a failed request is sent again at most. Default 2; 0 switches retries off. */
  readonly maxRetries?: number | undefined;
  /** The longest wait a server may ask for; a longer one ends the call with its error. Default 60. */
  readonly maxRetryAfterSeconds?: number | undefined;
  /** Sends the requests instead of the global `fetch`: for a proxy, or own certificates. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  readonly hooks?: Hooks | undefined;
  /** Names the calling program in the user agent. */
  readonly appInfo?: AppInfo | undefined;
}

/** What one call may set for itself. */
export interface RequestOptions {
  /** Ends the call with an AbortError, also while it waits for a retry. */
  readonly signal?: AbortSignal | undefined;
  /** See {@link ClientOptions.timeoutMs}. */
  readonly timeoutMs?: number | undefined;
  /** See {@link ClientOptions.maxRetries}. */
  readonly maxRetries?: number | undefined;
  /** Further headers; they win over those of the client. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Marks a POST or PATCH as safe to send twice, so that it is retried, and is sent as `Idempotency-Key`, the same in
   * every attempt. 1 to 255 visible ASCII characters. See the README for what the server makes of it.
   */
  readonly idempotencyKey?: string | undefined;
}

/** Query parameters by name. */
export type QueryValues = Readonly<Record<string, string | number | boolean | undefined>>;

/** What the escape hatch `request` takes besides method and path. */
export interface RawRequestOptions extends RequestOptions {
  /** Added to the path; undefined values are left out. */
  readonly query?: QueryValues | undefined;
  /** Sent as JSON; a FormData as `multipart/form-data`. */
  readonly body?: unknown;
}

/** The program that uses the SDK. */
export interface AppInfo {
  readonly name: string;
  readonly version?: string | undefined;
  readonly url?: string | undefined;
}

/** Functions that watch every attempt. They are called and not awaited; what they throw ends the call. */
export interface Hooks {
  readonly onRequest?: ((event: RequestEvent) => void) | undefined;
  readonly onResponse?: ((event: ResponseEvent) => void) | undefined;
  readonly onRetry?: ((event: RetryEvent) => void) | undefined;
}

/** An attempt that is about to be sent. */
export interface RequestEvent {
  /** The name in the SDK, like `runs.get`; null for `request`. */
  readonly operation: string | null;
  readonly method: Method;
  readonly url: string;
  /** Counts from 1. */
  readonly attempt: number;
  /** Names in lower case; the values of credentials are replaced by `[redacted]`. */
  readonly headers: Readonly<Record<string, string>>;
}

/** An attempt that was answered, with whatever status. `headers` are the answer's. */
export interface ResponseEvent extends RequestEvent {
  readonly status: number;
  readonly requestId: string | null;
  /** From sending to the end of the body; of a download, to its first part. */
  readonly durationMs: number;
}

/** A failed attempt that is followed by another one, before the wait. */
export interface RetryEvent extends Omit<RequestEvent, 'headers'> {
  readonly error: RunwardError;
  readonly delayMs: number;
}
