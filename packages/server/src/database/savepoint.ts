import type { Em } from './database.ts';
import { runStatement } from './statement.ts';

/** Does work in a transaction and undoes it if it fails, so that the transaction can continue. */
export async function withSavepoint<Result>(em: Em, work: () => Promise<Result>): Promise<Result> {
  await runStatement(em, 'savepoint work', []);
  try {
    const result = await work();
    await runStatement(em, 'release savepoint work', []);
    return result;
  } catch (error) {
    await runStatement(em, 'rollback to savepoint work', []);
    throw error;
  }
}
