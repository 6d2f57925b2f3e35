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

/**
 * Handles an event. It should finish within seconds, because the service waits 10 s. If it throws, the service retries
 * the delivery.
 */
export type EventHandler<Event> = (event: Event) => unknown;

/** A delivery from an adapter. `rawBody` is undefined if the bytes are no longer available. */
export interface Delivery {
  /** The method of the request. Anything but POST gets a 405. Default: POST. */
  method?: string | undefined;
  rawBody: RawBody | undefined;
  headers: HeadersLike;
}

/** The response to the sender; `body` is sent as JSON. */
export interface ReceiverResponse {
  status: 200 | 400 | 401 | 405 | 413 | 500;
  body: { result: Outcome } | { error: string; message: string };
  /** Headers of the response: `allow` with a 405. */
  headers?: Readonly<Record<string, string>>;
}

/**
 * The context of an error. It has the status of the response (500 during a catch-up), and the event if the delivery was
 * verified.
 */
export interface ErrorContext {
  status: number;
  event?: WebhookEvent;
}

/** Options of a receiver. */
export interface ReceiverOptions extends SecretOptions {
  /** Maximum difference between the timestamp of a delivery and now, in seconds. Default 300. */
  toleranceSeconds?: number | undefined;
  /** Default: {@link memoryDuplicateStore}. Several processes need a shared store. */
  duplicates?: DuplicateStore | undefined;
  /**
   * Called for deliveries that fail verification and for handlers that throw. Default: `console.error` if the response
   * is a 500.
   */
  onError?: ((error: unknown, context: ErrorContext) => unknown) | undefined;
  /** Called for test deliveries, before the handlers of {@link Receiver.onAny}. Default: a line on `console.info`. */
  onTest?: EventHandler<WebhookEvent> | undefined;
}

/** Verifies deliveries, drops duplicates and runs handlers. Adapters connect a receiver to a framework. */
export interface Receiver {
  /**
   * Adds a handler for one event. It does not get test deliveries, because their events did not happen. `onTest` and
   * {@link Receiver.onAny} get them.
   *
   * @throws TypeError if the name is unknown; use onAny for newer events
   */
  on<Name extends KnownEventName>(name: Name, handler: EventHandler<EventOf<Name>>): Receiver;
  /** Adds a handler for every event, including unknown events and test deliveries. */
  onAny(handler: EventHandler<WebhookEvent>): Receiver;
  /**
   * Handles a delivery and returns the response; never throws.
   *
   * - 200: handled, duplicate, test or ignored
   * - 400: invalid payload
   * - 401: not authentic
   * - 405: not a POST
   * - 413: more than 1 MB
   * - 500: a handler failed, or the raw body is lost
   */
  handle(delivery: Delivery): Promise<ReceiverResponse>;
  /**
   * Handles missed events. Reads the event feed from a cursor to its end, and runs the handlers, one event at a time in
   * feed order. Skips events that the duplicate store contains. Stops at the first handler that fails.
   *
   * @throws CatchUpError with the cursor to resume from; TypeError or RangeError if an option is invalid
   */
  catchUp(options: CatchUpOptions): Promise<CatchUpResult>;
}

/** A handler with its event. */
type Call = () => unknown;

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

const notPosted: ReceiverResponse = {
  status: 405,
  body: { error: 'method_not_allowed', message: 'This is a receiver of webhooks: send it deliveries with POST.' },
  headers: { allow: 'POST' },
};
const tooLarge: ReceiverResponse = {
  status: 413,
  body: { error: 'body_too_large', message: `The body is larger than ${maxBodyBytes} bytes.` },
};
const failed: ReceiverResponse = {
  status: 500,
  body: {
    error: 'handler_failed',
    message: 'The receiver failed to handle the event; see its log. The delivery can be retried.',
  },
};

/**
 * Creates a receiver. Handlers run one at a time, in the order they were added. After a failure, the delivery is
 * retried and all handlers run again, so they should be idempotent.
 *
 * @throws WebhookVerificationError `missing_secret`; RangeError if `toleranceSeconds` is invalid
 */
export function createReceiver(options: ReceiverOptions): Receiver {
  checkOptions(options);
  const { duplicates = memoryDuplicateStore(), onError = logFailures, onTest = logTest } = options;
  const callsFor: ((event: WebhookEvent) => Call | undefined)[] = [
    (event) => (isTestEvent(event) ? () => onTest(event) : undefined),
  ];
  const running = new Map<string, Promise<Outcome>>();

  async function handle({ method = 'POST', rawBody, headers }: Delivery): Promise<ReceiverResponse> {
    if (method !== 'POST') return notPosted;
    let event: WebhookEvent;
    try {
      const bytes = toBytes(rawBody);
      if (bytes.byteLength > maxBodyBytes) return tooLarge;
      event = await verify(bytes, headers, options);
    } catch (error) {
      const response = rejection(error);
      await report(error, { status: response.status });
      return response;
    }

    try {
      return { status: 200, body: { result: await take(event) } };
    } catch {
      return failed;
    }
  }

  async function take(event: WebhookEvent): Promise<Outcome> {
    const calls = callsFor.flatMap((callFor) => callFor(event) ?? []);
    // Not claimed, so that a handler that is added later can get the event from the feed.
    if (calls.length === 0) return 'ignored';
    // A retry that arrives during the first attempt waits for its outcome. If the retry were dropped as a duplicate and
    // the first attempt then failed, the event would be lost.
    const first = running.get(event.deliveryId);
    if (first) return first.then(() => 'duplicate');
    const attempt = handleOnce(event, calls).finally(() => running.delete(event.deliveryId));
    running.set(event.deliveryId, attempt);
    return attempt;
  }

  async function handleOnce(event: WebhookEvent, calls: readonly Call[]): Promise<Outcome> {
    try {
      if (!(await duplicates.claim(event.deliveryId))) return 'duplicate';
    } catch (error) {
      await report(error, { status: 500, event });
      throw error;
    }
    try {
      for (const call of calls) await call();
      return isTestEvent(event) ? 'test' : 'handled';
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
      // The sender must get its response even if reporting fails.
    }
  }

  const receiver: Receiver = {
    on(name, handler) {
      if (!isKnownName(name)) {
        throw new TypeError(
          `Unknown event '${name}'. Use one of ${knownEventNames.join(', ')}, or onAny for other events.`,
        );
      }
      callsFor.push((event) => (isNamed(event, name) && !isTestEvent(event) ? () => handler(event) : undefined));
      return receiver;
    },
    onAny(handler) {
      callsFor.push((event) => () => handler(event));
      return receiver;
    },
    handle,
    catchUp: (options) => catchUp(take, options),
  };
  return receiver;
}

function rejection(error: unknown): ReceiverResponse {
  if (!isWebhookVerificationError(error)) return failed;
  return { status: statuses[error.code], body: { error: error.code, message: error.message } };
}

// Without this line, a successful test would leave no trace at a receiver that only has handlers for real events.
function logTest({ event, deliveryId }: WebhookEvent): void {
  console.info(`webhook test received: ${event} ${deliveryId}`);
}

// Public addresses often get deliveries that are rejected, so only failures are logged.
function logFailures(error: unknown, { status, event }: ErrorContext): void {
  if (status !== 500) return;
  console.error(`webhook ${event ? `${event.event} ${event.deliveryId}` : 'delivery'} failed:`, error);
}
