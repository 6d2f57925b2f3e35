import { randomBytes } from 'node:crypto';
import { createDatabase } from '@runward/testing/database';
import { Client } from 'pg';
import { createCellSchema } from '../../../src/database/cells/citus.ts';
import type { Move } from '../../../src/database/cells/move/move-organization.ts';
import { migrate } from '../../../src/database/migrate.ts';
import { withSetting } from '../../../src/settings/database-schema.ts';

/** A cell of a database, and a connection to it. */
export interface TestCell {
  readonly name: string;
  readonly url: string;
  readonly client: Client;
}

/** Two empty cells of one database, and a move of an organization from the first to the second, or back. */
export interface TwoTestCells {
  readonly first: TestCell;
  readonly second: TestCell;
  move(organizationId: string, direction?: 'back'): Move;
}

/** Creates two cells. They are deleted with the stack. */
export async function newCells(stack: AsyncDisposableStack): Promise<TwoTestCells> {
  const { url, drop } = await createDatabase();
  stack.defer(drop);
  const name = `cell_${randomBytes(4).toString('hex')}`;
  const second = { name, url: withSetting(url, `search_path=${name}`) };
  const clientOf = async (to: string) => {
    const client = new Client({ connectionString: to });
    await client.connect();
    stack.defer(() => client.end());
    return client;
  };
  const client = await clientOf(url);
  await createCellSchema(client, name);
  stack.defer(async () => void (await client.query(`drop schema ${name} cascade`)));
  await migrate(second.url);
  const { rows } = await client.query<{ name: string }>('select current_schema() as name');
  const cells = [
    { name: rows[0]?.name ?? '', url, client },
    { ...second, client: await clientOf(second.url) },
  ] as const;
  return {
    first: cells[0],
    second: cells[1],
    move: (organizationId, direction) => {
      const [from, to] = direction === 'back' ? [cells[1], cells[0]] : cells;
      const ends = { source: from.client, target: to.client, from: from.name, to: to.name };
      return { ...ends, organizationId, drainSeconds: 0 };
    },
  };
}

/** The hashes of all rows of an organization by their table, or of all others. */
export async function hashesOf(
  client: Client,
  organizationId: string,
  whose: 'own' | 'others' = 'own',
): Promise<Readonly<Record<string, string>>> {
  const { rows: tables } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'
       and relname not in ('migrations', 'agenda_jobs', 'rate_limits', 'organization_moves') order by 1`,
  );
  const hashes: Record<string, string> = {};
  for (const { name } of tables) {
    const column = name === 'organizations' ? 'id' : 'organization_id';
    const { rows } = await client.query<{ hash: string }>(
      `select count(*) || ' rows, ' || coalesce(md5(string_agg(md5(each::text), '' order by each::text)), '') as hash
       from ${name} each where ${column} ${whose === 'own' ? '=' : '<>'} $1`,
      [organizationId],
    );
    hashes[name] = rows[0]?.hash ?? '';
  }
  return hashes;
}
