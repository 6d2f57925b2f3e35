import type { Client } from 'pg';
import { withClient } from '../../../src/database/connection/with-client.ts';
import { untilOthersWait } from './locks.ts';

/**
 * Makes a call that waits for another transaction, which is committed after `work` and, once `count` others wait for
 * it, after `meanwhile`.
 */
export function whileOther<Result>(
  { databaseUrl }: { readonly databaseUrl: string },
  work: (client: Client) => Promise<unknown>,
  call: () => Promise<Result>,
  { count, meanwhile = async () => {} }: { readonly count?: number; readonly meanwhile?: () => Promise<unknown> } = {},
): Promise<Result> {
  return withClient(databaseUrl, async (client) => {
    await client.query('begin');
    await work(client);
    const waiting = call();
    await untilOthersWait(async (text) => (await client.query(text)).rows, count);
    await meanwhile();
    await client.query('commit');
    return waiting;
  });
}
