import { codeOf } from './transaction.ts';

/** What PostgreSQL says when it ends a connection: admin_shutdown, crash_shutdown, cannot_connect_now. */
const ended = new Set(['57P01', '57P02', '57P03']);

/** Whether an exception says that a connection to PostgreSQL was lost, and nothing else. */
export function isConnectionLoss(error: unknown): boolean {
  return (
    ended.has(codeOf(error)) ||
    (error instanceof Error && error.message.startsWith('Connection terminated unexpectedly'))
  );
}
