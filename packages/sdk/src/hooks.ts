import type { RunwardError } from './errors/errors.ts';
import type { Method } from './route.ts';

/**
 * Functions that are called for every attempt of a request, with the names and the shape of the interceptors of ofetch.
 * They are awaited, and their time counts towards `timeoutMs`. An error thrown by a hook rejects the call. Credentials
 * in headers and URLs are `[redacted]`.
 */
export interface Hooks {
  /** Before an attempt is sent. What it changes in `options.headers` is sent. */
  readonly onRequest?: Hook<RequestContext> | undefined;
  /** If no response arrives: `error` is what the attempt fails with. */
  readonly onRequestError?: Hook<RequestErrorContext> | undefined;
  /** When the status and the headers of a response have arrived, whatever the status. The body is read afterwards. */
  readonly onResponse?: Hook<ResponseContext> | undefined;
  /** Before the wait for the next attempt. */
  readonly onRetry?: Hook<RetryContext> | undefined;
}

/** A hook, which may be async. What it returns is ignored. */
export type Hook<Context> = (context: Context) => unknown;

/** An attempt. */
export interface RequestContext {
  /** The method of the SDK, like `runs.get`; null for `request`. */
  readonly operation: string | null;
  /** Counts from 1. */
  readonly attempt: number;
  /** The URL. */
  readonly request: string;
  readonly options: {
    readonly method: Method;
    /** A copy. `onRequest` may set, replace and delete headers; what is still `[redacted]` is sent as it was. */
    readonly headers: Headers;
  };
}

/** An attempt without a response. */
export interface RequestErrorContext extends RequestContext {
  readonly error: RunwardError;
}

/** An attempt with a response. */
export interface ResponseContext extends RequestContext {
  readonly response: Pick<Response, 'ok' | 'status' | 'statusText' | 'headers'>;
  /** From sending to the headers of the response. */
  readonly durationMs: number;
}

/** A failed attempt that is repeated. */
export interface RetryContext extends RequestContext {
  /** What the call would reject with. The `headers` of an ApiError are those of the response, with credentials. */
  readonly error: RunwardError;
  /** How long the SDK waits before the next attempt. */
  readonly delayMs: number;
}
