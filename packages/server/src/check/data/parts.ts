import type { Part } from '../part.ts';
import { checkBacklog } from './backlog.ts';
import { checkClock } from './clock.ts';
import type { DataContext } from './context.ts';
import { checkSomeCounters } from './counters.ts';
import { checkDisks } from './disks.ts';
import { checkActivity, checkAuditLogs } from './hash-chains.ts';
import { checkPostgresSettings } from './postgres-settings.ts';
import { checkReplicas } from './replicas.ts';
import { checkStoredFiles } from './stored-files.ts';

const looks = {
  clock: checkClock,
  PostgreSQL: checkPostgresSettings,
  replicas: checkReplicas,
  disks: checkDisks,
  backlog: checkBacklog,
  'stored files': checkStoredFiles,
  counters: checkSomeCounters,
  activity: checkActivity,
  'audit logs': checkAuditLogs,
} as const satisfies Record<string, (context: DataContext) => Promise<string>>;

/** What is read of a database, in the order of the output. */
export function dataParts(context: DataContext): readonly Part[] {
  return Object.entries(looks).map(([name, look]) => ({
    name,
    remedy: 'this could not be read; try again, and see the log of PostgreSQL if it stays',
    look: () => look(context),
  }));
}
