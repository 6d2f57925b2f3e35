import type { Contract, Response } from '@runward/contract';
import type { Api } from './api.ts';
import { must } from './process.ts';

/** A line of the activity of a run. */
export type ActivityItem = Response<Contract['runs']['activity']>['data'][number];

/** Reads all activity of a run, oldest first, and from the run the number of lines and the hash of the last one. */
export async function readActivity(api: Api, id: string) {
  const { version, activityHash: hash } = await must(api.call('runs', 'get', { params: { id } }));
  const lines: ActivityItem[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const query: { cursor?: string } = cursor === '' ? {} : { cursor };
    const page = await must(api.call('runs', 'activity', { params: { id }, query }));
    lines.unshift(...page.data.toReversed());
    cursor = page.nextCursor;
  }
  return { head: { count: Number(version), hash }, lines };
}
