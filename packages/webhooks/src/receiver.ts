import { catchUp, type CatchUpOptions, type CatchUpResult, type Outcome } from './catch-up.ts';
import { type DuplicateStore, memoryDuplicateStore } from './duplicates.ts';
import { isWebhookVerificationError, type WebhookVerificationErrorCode } from './errors.ts';
import {
  type EventOf,
  isKnownName,
  isNamed,
  isTestEvent,
  type KnownEventName,
  knownEventNames,
  type WebhookEvent,
} from './events.ts';
import type { HeadersLike } from './headers.ts';
import { maxBodyBytes, type RawBody, toBytes } from './raw-body.ts';
import type { SecretOptions } from './signature.ts';
import { checkOptions, verify } from './verify.ts';

/** Acts on an event. Should finish within seconds (the service waits 10 s); a throw makes the service deliver again. */
export type EventHandler<Event> = (event: Event) => unknown;

/** A delivery as an adapter hands it over. `rawBody` is undefined when the bytes are no longer to be had. */
export interface Delivery {
  rawBody: RawBody | undefined;
  headers: HeadersLike;
}

/** What to answer the sender: `body` goes out as JSON. */
export interface ReceiverResponse {
  status: 200 | 400 | 401 | 413 | 500;
  body: { result: 'handled' | 'duplicate' } | { error: string; message: string };
}

/** Where an error arose: the answer's status (500 while catching up), and the event when the delivery was verified. */
export interface ErrorContext {
  status: number;
  event?: WebhookEvent;
}

/** How to receive. */
export interface ReceiverOptions extends SecretOptions {
  /** How old, or how far ahead, a delivery may be, in seconds. Default 300. */
  toleranceSeconds?: number | undefined;
  /** Default: {@link memoryDuplicateStore}. Several processes need a shared store. */
  duplicates?: DuplicateStore | undefined;
  /** Told of deliveries that fail verification and of handlers that fail. Default: `console.error` on those answered with 500. */
  onError?: ((error: unknown, context: ErrorContext) => unknown) | undefined;
}

/** Verifies deliveries, drops duplicates and runs handlers. Adapters connect it to a framework. */
export interface Receiver {
  /**
   * Adds a handler for one event. It does not get test deliveries, whose ids are made up; {@link Receiver.onAny} does. TypeError when
   * the name is unknown: use onAny for newer events.
   */
  on<Name extends KnownEventName>(name: Name, handler: EventHandler<EventOf<Name>>): Receiver;
  /** Adds a handler for every event, also unknown ones and test deliveries. */
  onAny(handler: EventHandler<WebhookEvent>): Receiver;
  /**
   * Takes one delivery and says what to answer; never throws. 200 handled or duplicate, 400 no payload, 401 not
   * authentic, 413 more than 1 MB, 500 when a handler failed or the raw body is lost.
   */
  handle(delivery: Delivery): Promise<ReceiverResponse>;
  /**
   * Fills a gap from the feed of events: runs the handlers for what is there after a cursor, one event after another in the order of the
   * feed, up to its end. What was handled before is a duplicate here, too, if the store still knows it. Ends at the first handler that fails.
   *
   * @throws CatchUpError naming the cursor to go on from; TypeError or RangeError when an option is not usable
   */
  catchUp(options: CatchUpOptions): Promise<CatchUpResult>;
}

const statuses: Record<WebhookVerificationErrorCode, ReceiverResponse['status']> = {
  missing_secret: 500,
  body_not_raw: 500,
  missing_header: 401,
  invalid_timestamp: 401,
  timestamp_outside_tolerance: 401,
  invalid_signature_format: 401,
  signature_mismatch: 401,
  invalid_payload: 400,
};

const handled: ReceiverResponse = { status: 200, body: { result: 'handled' } };
const duplicate: ReceiverResponse = { status: 200, body: { result: 'duplicate' } };
const tooLarge: ReceiverResponse = {
  status: 413,
  body: { error: 'body_too_large', message: `The body has more than ${maxBodyBytes} bytes. Send less.` },
};
const failed: ReceiverResponse = {
  status: 500,
  body: {
    error: 'handler_failed',
    message: 'The receiver could not handle the event. Read its log, then deliver again.',
  },
};

/**
 * Makes a receiver. Handlers run one after another, in the order they were added; after a failure the service delivers
 * again and all of them run again, so they should bear that.
 *
 * @throws WebhookVerificationError `missing_secret`; RangeError when `toleranceSeconds` is no usable number
 */
export function createReceiver(options: ReceiverOptions): Receiver {
  checkOptions(options);
  const { duplicates = memoryDuplicateStore(), onError = logFailures } = options;
  const handlers: EventHandler<WebhookEvent>[] = [];
  const running = new Map<string, Promise<Outcome>>();

  async function handle({ rawBody, headers }: Delivery): Promise<ReceiverResponse> {
    let event: WebhookEvent;
    try {
      const bytes = toBytes(rawBody);
      if (bytes.byteLength > maxBodyBytes) return tooLarge;
      event = await verify(bytes, headers, options);
    } catch (error) {
      const response = refusal(error);
      await report(error, { status: response.status });
      return response;
    }

    try {
      return (await take(event)) === 'handled' ? handled : duplicate;
    } catch {
      return failed;
    }
  }

  async function take(event: WebhookEvent): Promise<Outcome> {
    // A retry that arrives while the first attempt still runs shares its fate: to call it a duplicate now would lose
    // the event if that attempt fails.
    const first = running.get(event.deliveryId);
    if (first) return first.then(() => 'duplicate');
    const attempt = handleOnce(event).finally(() => running.delete(event.deliveryId));
    running.set(event.deliveryId, attempt);
    return attempt;
  }

  async function handleOnce(event: WebhookEvent): Promise<Outcome> {
    try {
      if (!(await duplicates.claim(event.deliveryId))) return 'duplicate';
    } catch (error) {
      await report(error, { status: 500, event });
      throw error;
    }
    try {
      for (const handler of handlers) await handler(event);
      return 'handled';
    } catch (error) {
      await release(event);
      await report(error, { status: 500, event });
      throw error;
    }
  }

  async function release(event: WebhookEvent): Promise<void> {
    try {
      await duplicates.release(event.deliveryId);
    } catch (error) {
      await report(error, { status: 500, event });
    }
  }

  async function report(error: unknown, context: ErrorContext): Promise<void> {
    try {
      await onError(error, context);
    } catch {
      // The sender must get its answer even when reporting fails.
    }
  }

  const receiver: Receiver = {
    on(name, handler) {
      if (!isKnownName(name)) {
        throw new TypeError(
          `Unknown event '${name}'. Known are ${knownEventNames.join(', ')}; receive others with onAny.`,
        );
      }
      handlers.push((event) => (isNamed(event, name) && !isTestEvent(event) ? handler(event) : undefined));
      return receiver;
    },
    onAny(handler) {
      handlers.push(handler);
      return receiver;
    },
    handle,
    catchUp: (options) => catchUp(take, options),
  };
  return receiver;
}

function refusal(error: unknown): ReceiverResponse {
  if (!isWebhookVerificationError(error)) return failed;
  return { status: statuses[error.code], body: { error: error.code, message: error.message } };
}

// Refused deliveries are noise of the internet, and are not logged unless asked for.
function logFailures(error: unknown, { status, event }: ErrorContext): void {
  if (status !== 500) return;
  console.error(`webhook ${event ? `${event.event} ${event.deliveryId}` : 'delivery'} failed:`, error);
}
