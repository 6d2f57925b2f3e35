import type { RequestOptions } from '../options.ts';
import { property } from '../property.ts';
import type { Settings } from '../settings.ts';
import { newUuid } from '../uuid.ts';
import type { ApiRequest } from './call.ts';

/**
 * The idempotency key of a call: the given key, or false for none. Undefined: one is generated where it has an effect.
 */
export function chosenKey(
  { idempotencyKeys }: Pick<Settings, 'idempotencyKeys'>,
  { idempotencyKey }: RequestOptions,
): string | false | undefined {
  return idempotencyKey ?? (idempotencyKeys ? undefined : false);
}

/** The idempotency key in the header of every attempt of a request; undefined for none. */
export function headerKeyOf(settings: Settings, request: ApiRequest): string | undefined {
  const chosen = chosenKey(settings, request.options);
  if (chosen !== undefined) return chosen === false ? undefined : chosen;
  const { method, effect, key, body, options } = request;
  // Repeated, a PUT does the same again, and responds the same, unless its own change has made the record newer.
  const isUnsafe = effect === 'write' && (method !== 'PUT' || options.ifMatch !== undefined);
  // The service stores responses by caller.
  const hasCaller = key !== 'none' && settings.apiKey !== null;
  const hasOwnKey = hasKeyInBody(body) || new Headers(options.headers).has('idempotency-key');
  return isUnsafe && hasCaller && !hasOwnKey ? newUuid() : undefined;
}

/** Whether a body contains its own key, like the body of `execution.complete`. */
export function hasKeyInBody(body: unknown): boolean {
  return typeof property(body, 'idempotencyKey') === 'string';
}
