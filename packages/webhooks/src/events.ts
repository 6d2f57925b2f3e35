import { WebhookVerificationError } from './errors.ts';

/** The names of all known events: the nine that a webhook subscribes to. */
export const knownEventNames = [
  'run.started',
  'run.completed',
  'run.cancelled',
  'run.reopened',
  'task.completed',
  'task.overdue',
  'approval.requested',
  'approval.granted',
  'approval.rejected',
] as const;

/** The name of an event this version of the package knows. */
export type KnownEventName = (typeof knownEventNames)[number];

/** Data of the `run.*` events. */
export interface RunEventData {
  /** True in a test delivery: the ids are made up (see {@link isTestEvent}). */
  test?: boolean;
  /** UUID of the run; `GET /runs/:id` reads it. */
  runId: string;
  /** UUID of the template the run was launched from. */
  templateId: string;
  /** Grows with every event of a run. Deliveries come in no promised order: compare it to tell the newer of two events of one run. */
  sequence: number;
}

/** Data of the `task.*` events. */
export interface TaskEventData extends RunEventData {
  /** UUID of the task within its run. */
  runTaskId: string;
  /** UUID of the template task it was made from. */
  taskId: string;
}

/** Data of the `approval.*` events. */
export interface ApprovalEventData extends TaskEventData {
  approvalId: string;
  /** The user who asked, granted or rejected; null when no user did. */
  actorUserId: string | null;
  comment: string | null;
}

/** The data of every event this version of the package knows, by event name. */
export interface WebhookEventData {
  'run.started': RunEventData;
  'run.completed': RunEventData;
  'run.cancelled': RunEventData;
  'run.reopened': RunEventData;
  'task.completed': TaskEventData;
  'task.overdue': TaskEventData;
  'approval.requested': ApprovalEventData;
  'approval.granted': ApprovalEventData;
  'approval.rejected': ApprovalEventData;
}

/** The delivery payload: what every event has in common (see "Webhook delivery payload" in the API specification). */
export interface WebhookEnvelope<Name extends string, Data> {
  event: Name;
  /** Names the event: the same on every attempt, at every webhook and in the feed. The key for telling duplicates. */
  deliveryId: string;
  /** When the event happened, ISO 8601. */
  timestamp: string;
  /** UUID of the organization. */
  orgId: string;
  data: Data;
}

/** The event of one name, for example `EventOf<'run.completed'>`. */
export type EventOf<Name extends KnownEventName> = {
  [N in Name]: WebhookEnvelope<N, WebhookEventData[N]>;
}[Name];

/** Every event this version knows, discriminated by `event`. */
export type KnownWebhookEvent = EventOf<KnownEventName>;

/** An event of a newer service. It passes verification, so that the service may add events without breaking receivers. */
export type UnknownWebhookEvent = WebhookEnvelope<string & {}, Record<string, unknown>>;

/** What a verified delivery holds. Narrow it with {@link isKnownEvent}, then by `event`. */
export type WebhookEvent = KnownWebhookEvent | UnknownWebhookEvent;

/** True for an event this version of the package knows: `event.event` then discriminates and `data` is typed. */
export function isKnownEvent(event: WebhookEvent): event is KnownWebhookEvent {
  return isKnownName(event.event);
}

/** True for what `POST /webhooks/:id/test` sends: a real event name, made-up ids, `data.test` true. */
export function isTestEvent(event: WebhookEvent): boolean {
  return 'test' in event.data && event.data.test === true;
}

/** Whether this is the name of a known event. */
export function isKnownName(name: string): boolean {
  return knownEventNames.some((known) => known === name);
}

/**
 * Reads a payload whose signature has been checked. Keys and event names it does not know pass.
 *
 * @throws WebhookVerificationError `invalid_payload`
 */
export function parseEvent(body: Uint8Array): WebhookEvent {
  const payload = parseJson(body);
  if (!isRecord(payload)) throw invalidPayload('it is not a JSON object');
  const { data } = payload;
  if (!isRecord(data)) throw invalidPayload('data must be an object');
  return {
    ...payload,
    event: text(payload, 'event'),
    deliveryId: text(payload, 'deliveryId'),
    timestamp: text(payload, 'timestamp'),
    orgId: text(payload, 'orgId'),
    data,
  };
}

/** Whether a value has the form of an event. Keys and event names it does not know pass. */
export function isEvent(value: unknown): value is WebhookEvent {
  if (!isRecord(value) || !isRecord(value['data'])) return false;
  return ['event', 'deliveryId', 'timestamp', 'orgId'].every((key) => typeof value[key] === 'string' && value[key]);
}

/** Narrows to the event of one name. */
export function isNamed<Name extends KnownEventName>(
  event: WebhookEvent,
  name: Name,
): event is WebhookEvent & EventOf<Name> {
  return event.event === name;
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (cause) {
    throw invalidPayload('it is not JSON in UTF-8', { cause });
  }
}

function text(payload: Record<string, unknown>, key: string): string {
  const value = payload[key];
  if (typeof value === 'string' && value !== '') return value;
  throw invalidPayload(`${key} must be a non-empty string`);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function invalidPayload(problem: string, options?: ErrorOptions): WebhookVerificationError {
  const message = `The signature is right but the body is no webhook payload: ${problem}. Check that the sender is Runward.`;
  return new WebhookVerificationError('invalid_payload', message, options);
}
