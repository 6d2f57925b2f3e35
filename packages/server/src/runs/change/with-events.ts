import type { Em } from '../../database/database.ts';
import { draftEvents, writeEvents } from '../../webhooks/events-of.ts';
import { readNamed } from '../../webhooks/queries/read-named.ts';
import type { Subscriber } from '../../webhooks/queries/select-subscribers.ts';
import type { ChangeContext, RunChange } from '../store/save.ts';

/** A change of a run without its events, and the webhooks that receive them. */
export type DecidedChange = Omit<RunChange, 'events'> & { readonly subscribers: readonly Subscriber[] };

/** Changes of runs with their events. Reads the members and groups that these name, if there are any. */
export async function withEvents(
  em: Em,
  { organizationId, author }: Pick<ChangeContext, 'organizationId' | 'author'>,
  changes: readonly DecidedChange[],
): Promise<RunChange[]> {
  const drafts = changes.map((change) => draftEvents(change, author));
  const named = await readNamed(em, organizationId, drafts.flat());
  return changes.map(({ subscribers, ...change }, index) => {
    const events = writeEvents(drafts[index] ?? [], { organizationId, subscribers, named });
    return { ...change, events };
  });
}
