import { statement } from '../../database/statement.ts';

const find = statement<{ key: string }>('select sign_in_key as key from organizations order by id limit 1');

/** The key that signs challenges for passkeys. All processes have the same. Null before the first organization. */
export async function findSignInKey(em: Parameters<typeof find>[0]): Promise<Buffer | null> {
  const [row] = await find(em);
  return row ? Buffer.from(row.key) : null;
}
