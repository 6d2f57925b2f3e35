import { randomUUID } from 'node:crypto';
import { groupsOf } from '../groups.ts';
import type { LaunchBody } from '../launch/launch-body.ts';
import type { Intent, JournalEntry } from './journal.ts';
import { contentOf, type LaunchRow } from './rows.ts';

/** The most launches that one request takes. */
export const mostRows = 500;
/** Each launch creates all tasks of the template, so fewer runs of large templates are launched at a time. */
const mostTasks = 2_500;
const rowsOfUnknownTemplate = 100;
const mostCharacters = 500_000;
/** The server repeats the response to an idempotency key for 24 hours, by its own clock. */
const repeatableMs = 23 * 3_600_000;

/** A row to launch. `since` is the start of an earlier, interrupted launch of the row. */
export interface PendingRow {
  readonly row: LaunchRow;
  readonly since: string | null;
}

/** Rows that one request launches. */
export interface Batch {
  /** The idempotency key of the request. */
  readonly key: string;
  /** Whether an earlier command has sent this request, or was about to. The journal has its intents. */
  readonly isRepeat: boolean;
  /** In the order of the request. `row` is null if the journal has its result. */
  readonly launches: readonly {
    readonly body: LaunchBody;
    readonly since: string | null;
    readonly row: LaunchRow | null;
  }[];
}

/** How many runs of a template with so many tasks one request launches. Null: the number is not known. */
export function rowsPerRequest(tasks: number | null): number {
  if (tasks === null) return rowsOfUnknownTemplate;
  return Math.max(1, Math.min(mostRows, Math.floor(mostTasks / Math.max(1, tasks))));
}

/** Divides rows into requests of at most `most` rows. */
export function toBatches(pending: readonly PendingRow[], most: number): Batch[] {
  const sizeOf = ({ row }: PendingRow) => JSON.stringify(row.body).length;
  return Array.from(groupsOf(pending, { items: most, size: mostCharacters, sizeOf }), (rows) => ({
    key: randomUUID(),
    isRepeat: false,
    launches: rows.map(({ row, since }) => ({ row, since, body: row.body })),
  }));
}

/**
 * The interrupted requests that can be sent again: the server then returns the response of the first time, or launches
 * the rows now. Only the same API key can repeat a request, only if no row of it has changed, and only if nothing in
 * the journal says that rows of it were not launched. `entries` are those of the template, `rows` those of the file by
 * their keys.
 */
export function repeatable(
  entries: readonly JournalEntry[],
  rows: ReadonlyMap<string, LaunchRow>,
  { caller, serverTime }: { readonly caller: string; readonly serverTime: number },
): Batch[] {
  const isSame = ({ row, body }: Intent) => {
    const found = rows.get(row);
    return found !== undefined && contentOf(found.body) === contentOf(body);
  };
  const isCurrent = (intent: Intent) =>
    intent.caller === caller && serverTime - Date.parse(intent.since) < repeatableMs;
  return [...requestsOf(entries)].flatMap(([key, sent]): Batch[] => {
    const open = sent.filter(({ result }) => result === null);
    const isSafe = sent.every(({ result }) => result === null || result === 'launched');
    if (open.length === 0 || !isSafe || !open.every(({ intent }) => isSame(intent) && isCurrent(intent))) return [];
    const launches = sent.map(({ intent: { row, body, since }, result }) => ({
      body,
      since,
      row: result === null ? (rows.get(row) ?? null) : null,
    }));
    return [{ key, isRepeat: true, launches }];
  });
}

interface Sent {
  readonly intent: Intent;
  /** Null: the journal has none. */
  readonly result: JournalEntry['type'] | null;
}

/** The launches of each request, in order. An intent without a request, of an older journal, is left out. */
function requestsOf(entries: readonly JournalEntry[]): Map<string, Sent[]> {
  const requests = new Map<string, Map<string, Sent>>();
  const current = new Map<string, string | undefined>();
  for (const entry of entries) {
    const { row, type } = entry;
    if (type === 'intent') {
      const { batch } = entry;
      current.set(row, batch);
      if (batch === undefined) continue;
      const request = requests.get(batch) ?? new Map<string, Sent>();
      requests.set(batch, request.set(row, { intent: entry, result: null }));
    } else {
      const request = requests.get(current.get(row) ?? '');
      const sent = request?.get(row);
      if (sent) request?.set(row, { ...sent, result: type });
    }
  }
  return new Map([...requests].map(([key, sent]) => [key, replaced(sent, key, current)]));
}

/** A row that was launched again by a later request has no open launch in an earlier one. */
function replaced(
  sent: ReadonlyMap<string, Sent>,
  key: string,
  current: ReadonlyMap<string, string | undefined>,
): Sent[] {
  return [...sent].map(([row, one]) =>
    one.result === null && current.get(row) !== key ? { intent: one.intent, result: 'intent' } : one,
  );
}
