import { WebhookVerificationError } from './errors.ts';

/**
 * The names of all known events, which webhooks can subscribe to. They equal those in the contract; a test compares
 * them.
 */
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
  'task.assigned',
  'task.unassigned',
  'task.ready',
  'task.due_soon',
  'task.reopened',
  'approval.due_soon',
  'comment.created',
] as const;

/** The name of an event that this version of the package knows. */
export type KnownEventName = (typeof knownEventNames)[number];

/** Data of the `run.*` events. */
export interface RunEventData {
  /** True in a test delivery, whose event did not happen; see {@link isTestEvent}. */
  test?: boolean;
  /** UUID of the run. */
  runId: string;
  /** UUID of the template the run was launched from. */
  templateId: string;
  /**
   * Increases with the changes of a run. Deliveries may arrive in any order; compare this number to sort the events of
   * a run. Events of the same change may share it.
   */
  sequence: number;
}

/** Data of the `task.*` events. */
export interface TaskEventData extends RunEventData {
  /** UUID of the task in its run. */
  runTaskId: string;
  /** UUID of the task in its template. */
  taskId: string;
}

/** Data of the `approval.*` events. */
export interface ApprovalEventData extends TaskEventData {
  /** UUID of the entry that the approval concerns. */
  executionEntryId: string;
  /** The user who decided, or whose change requested the approval. Null if it was the service. */
  actorUserId: string | null;
  comment: string | null;
}

/** A member whom an event names, as at that time. */
export interface EventPerson {
  id: string;
  name: string;
  email: string;
}

/** A group that an event names, as at that time. */
export interface EventGroup {
  id: string;
  name: string;
}

/** Data of the events about the work on a task. */
export interface WorkEventData extends TaskEventData {
  runTitle: string;
  /** Readable id of the run, like `RUN-7K3M9QXD`. */
  runPublicId: string;
  /** The user who caused the event. Null if it was the service. */
  actorUserId: string | null;
  taskTitle: string;
  /** The member who has the task; in `task.unassigned`, who had it. Null for none. */
  assignee: EventPerson | null;
  /** The group that has the task; in `task.unassigned`, that had it. Null for none. */
  assigneeGroup: EventGroup | null;
  /** When the task is due, ISO 8601. Null for never. */
  dueAt: string | null;
  /** Whether the task can be worked on: it is open, and neither hidden nor blocked. */
  ready: boolean;
}

/** Data of the event about an approval that is due soon. */
export interface ApprovalDueEventData extends WorkEventData {
  /** UUID of the entry that the approval concerns. */
  executionEntryId: string;
  /** The members who can decide on it. Empty if none are named. */
  approvers: EventPerson[];
  /** The groups whose members can decide on it. */
  approverGroups: EventGroup[];
}

/** Data of `comment.created`. */
export interface CommentEventData extends RunEventData {
  /** Title of the run. */
  runTitle: string;
  /** Readable id of the run. */
  runPublicId: string;
  /** The user who commented. */
  actorUserId: string | null;
  /** UUID of the task in its run. Null for a comment on the run. */
  runTaskId: string | null;
  /** UUID of the task in its template. Null for a comment on the run. */
  taskId: string | null;
  /** Title of the task. Null for a comment on the run. */
  taskTitle: string | null;
  /** UUID of the comment. */
  commentId: string;
  /** Markdown. */
  text: string;
  /** The member who wrote it, or who created the API key. */
  author: EventPerson | null;
  mentions: { users: EventPerson[]; groups: EventGroup[] };
}

/** The data of every known event, by event name. */
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
  'task.assigned': WorkEventData;
  'task.unassigned': WorkEventData;
  'task.ready': WorkEventData;
  'task.due_soon': WorkEventData;
  'task.reopened': WorkEventData;
  'approval.due_soon': ApprovalDueEventData;
  'comment.created': CommentEventData;
}

/** The payload of a delivery. */
export interface WebhookEnvelope<Name extends string, Data> {
  event: Name;
  /**
   * Identifies the event. It is the same in every attempt, for every webhook and in the feed. Use it to detect
   * duplicates.
   */
  deliveryId: string;
  /** Time of the event, ISO 8601. */
  timestamp: string;
  /** UUID of the organization. */
  orgId: string;
  data: Data;
}

/** The event with this name, for example `EventOf<'run.completed'>`. */
export type EventOf<Name extends KnownEventName> = {
  [N in Name]: WebhookEnvelope<N, WebhookEventData[N]>;
}[Name];

/** Every known event, discriminated by `event`. */
export type KnownWebhookEvent = EventOf<KnownEventName>;

/** An event that a newer service sends. It passes verification, so that new events do not break receivers. */
export type UnknownWebhookEvent = WebhookEnvelope<string & {}, Record<string, unknown>>;

/** The event of a verified delivery. Narrow it with {@link isKnownEvent}, then by `event`. */
export type WebhookEvent = KnownWebhookEvent | UnknownWebhookEvent;

/** Whether this version of the package knows the event. `event.event` then discriminates, and `data` is typed. */
export function isKnownEvent(event: WebhookEvent): event is KnownWebhookEvent {
  return isKnownName(event.event);
}

/** Whether `POST /webhooks/:id/test` sent the event. The event did not happen, and `data.test` is true. */
export function isTestEvent(event: WebhookEvent): boolean {
  return 'test' in event.data && event.data.test === true;
}

/** Whether a name is the name of a known event. */
export function isKnownName(name: string): boolean {
  return knownEventNames.some((known) => known === name);
}

/**
 * Parses a payload whose signature has been verified. Unknown keys and event names are allowed.
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

/** Whether a value has the form of an event. Unknown keys and event names are allowed. */
export function isEvent(value: unknown): value is WebhookEvent {
  if (!isRecord(value) || !isRecord(value['data'])) return false;
  return ['event', 'deliveryId', 'timestamp', 'orgId'].every((key) => typeof value[key] === 'string' && value[key]);
}

/** Narrows to the event with a name. */
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

function invalidPayload(reason: string, options?: ErrorOptions): WebhookVerificationError {
  const message = `The signature matches, but the body is not a webhook payload: ${reason}. Check that the sender is Runward.`;
  return new WebhookVerificationError('invalid_payload', message, options);
}
