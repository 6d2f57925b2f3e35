import type { RunwardError } from '../errors/errors.ts';
import type { Hooks, RequestContext } from '../hooks.ts';
import { applyChanges, redacted, shownUrl } from './redact.ts';
import type { Outgoing } from './transport.ts';

/** What the SDK knows of an attempt besides its request. */
export type AttemptInfo = Pick<RequestContext, 'operation' | 'attempt'>;

/**
 * What ofetch passes to every interceptor. Its own type would be published with ours, and does not compile without
 * `skipLibCheck`.
 */
interface Intercepted {
  readonly options: { readonly headers: Headers };
}

/** What every hook is given. */
export function contextOf(
  info: AttemptInfo,
  { method, url, headers }: Pick<Outgoing, 'method' | 'url' | 'headers'>,
): RequestContext {
  return { ...info, request: shownUrl(url), options: { method, headers: redacted(headers) } };
}

/** The interceptors of ofetch for one attempt. They call the hooks, and make errors of `fetch` errors of the SDK. */
export function interceptorsOf(
  hooks: Hooks,
  info: AttemptInfo,
  outgoing: Outgoing,
  toError: (error: unknown) => RunwardError,
) {
  const contextWith = ({ headers }: Intercepted['options']) => contextOf(info, { ...outgoing, headers });
  let sentAt = 0;
  return {
    async onRequest({ options }: Intercepted) {
      if (hooks.onRequest) {
        const context = contextWith(options);
        await hooks.onRequest(context);
        applyChanges(context.options.headers, options.headers);
      }
      sentAt = performance.now();
    },
    async onRequestError({ options, error: cause }: Intercepted & { error: unknown }) {
      const error = toError(cause);
      await hooks.onRequestError?.({ ...contextWith(options), error });
      // Otherwise ofetch would throw an error that contains the request with its headers.
      throw error;
    },
    async onResponse({ options, response }: Intercepted & { response: Response }) {
      const durationMs = performance.now() - sentAt;
      const { ok, status, statusText, headers } = response;
      try {
        await hooks.onResponse?.({
          ...contextWith(options),
          response: { ok, status, statusText, headers: redacted(headers) },
          durationMs,
        });
      } catch (error) {
        await response.body?.cancel();
        throw error;
      }
    },
  };
}
