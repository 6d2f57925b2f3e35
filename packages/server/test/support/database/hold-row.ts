import { Client } from 'pg';

/** Locks a row against changes until the returned function is called. */
export async function holdRow(
  { databaseUrl }: { readonly databaseUrl: string },
  table: 'runs' | 'data_sources',
  id: string,
): Promise<() => Promise<void>> {
  const client = new Client(databaseUrl);
  await client.connect();
  await client.query('begin');
  await client.query(`select 1 from ${table} where id = $1 for update`, [id]);
  return () => client.end();
}
