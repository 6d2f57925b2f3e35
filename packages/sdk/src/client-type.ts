import type { FileTransfers } from './files/options.ts';
import type { Endpoints } from './generated/endpoints.ts';
import type { FilesMethods } from './generated/files.ts';
import type { DeliveryPayload, EventName } from './generated/webhooks.ts';
import type { RawRequestOptions } from './options.ts';
import type { Method } from './route.ts';
import type { Call } from './types.ts';

/**
 * One method per endpoint that a key can call, nested by the words of its group, and `request` for any other path.
 * Endpoints that need a session are left out.
 */
export interface Client extends Endpoints {
  /** The methods of `files`, and transfers that combine several of them. */
  readonly files: FilesMethods & FileTransfers;
  /**
   * Sends a request to a path that starts with a slash. Resolves to parsed JSON, to a string for text, and to a
   * `Download` for any other content. API key, retries and errors work as in every other call.
   */
  request(method: Method, path: string, options?: RawRequestOptions): Call<unknown>;
}

/** The payload of an event, in deliveries and in the feed: `EventOf<'run.completed'>`. */
export type EventOf<Name extends EventName> = Extract<DeliveryPayload, { readonly event: Name }>;
