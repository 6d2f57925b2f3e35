import type { Page } from '@runward/contract';
import type { RequestContext } from '../../access/request-context.ts';
import { decodeCursor, pageOf, type Paging } from '../../paging.ts';
import { countActivity, listActivity, type Facts, type ListedFact } from '../queries/list-activity.ts';

/** A page of facts of a run, newest first. They are counted unless their number is known. */
export async function pageOfFacts<Item>(
  { em, ports }: Pick<RequestContext, 'em' | 'ports'>,
  facts: Facts,
  { limit, cursor }: Paging,
  present: (fact: ListedFact) => Item,
  known?: number,
): Promise<Page<Item>> {
  const before = cursor === undefined ? undefined : decodeCursor(cursor, 'number')[0];
  const total = known ?? (await countActivity(em, facts));
  const read = await listActivity(em, facts, { limit, bytes: ports.limits.pageBytes, before });
  return pageOf({ ...read, total }, present, ({ sequence }) => [sequence]);
}
