import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client';
import { ProviderError, type ProviderFailure } from './provider-error.ts';

/** Responses that are no errors of OAuth, such as a page of a proxy. */
const unusable = new Set([
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
]);

/** What the errors of a provider mean that do not show a wrong setting. */
const ended: ReadonlyMap<string, ProviderFailure> = new Map([
  ['access_denied', 'denied'],
  ['server_error', 'unavailable'],
  ['temporarily_unavailable', 'unavailable'],
]);

/**
 * An error of the library as one without its causes, which contain tokens and claims. `step` is what was tried, for the
 * log.
 */
export function failureIn(step: string, error: unknown): ProviderError {
  if (error instanceof ProviderError) return error;
  if (error instanceof AuthorizationResponseError) {
    const failure = ended.get(error.error) ?? 'rejected';
    return new ProviderError(failure, `${step}: ${shortened(error.error)} ${shortened(error.error_description)}`);
  }
  if (error instanceof ResponseBodyError) {
    const failure = error.status >= 500 ? 'unavailable' : 'rejected';
    return new ProviderError(failure, `${step}: ${shortened(error.error)} ${shortened(error.error_description)}`);
  }
  const code = error instanceof ClientError ? (error.code ?? '') : '';
  const message = `${step}: ${error instanceof Error ? error.message : 'failed'} ${code}`.trimEnd();
  // Only a failed connection is reported by an error of another class.
  return new ProviderError(code === '' || unusable.has(code) ? 'unavailable' : 'rejected', message);
}

/** A text of the provider or of a URL that anyone can make, as it may be in the log. */
function shortened(text: string | undefined): string {
  return (text ?? '').replaceAll(/[^\x20-\x7e]/g, ' ').slice(0, 200);
}
