import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ServerChild, startServerChild } from './child.ts';

/** How the service runs while it is measured. */
export interface ServiceOptions {
  readonly databaseUrl: string;
  readonly folder: string;
  /**
   * `production` is what throughput is measured in. `local` lets webhooks reach this machine, which production refuses; answers are
   * then held against the contract too.
   */
  readonly mode: 'production' | 'local';
  /** Where requests are counted: for all processes on the database unless told otherwise. */
  readonly rateLimitStore?: 'memory' | 'postgres';
  /** What the process is there for (default `all`). */
  readonly role?: Role;
}

/** Everything in one process, or the API alone, or delivery and jobs alone. */
export type Role = 'all' | 'api' | 'worker';

/** Starts the service as `npm start` would, and waits until it is ready. */
export async function startRunward({
  databaseUrl,
  folder,
  mode,
  rateLimitStore = 'postgres',
  role = 'all',
}: ServiceOptions): Promise<ServerChild> {
  const production = mode === 'production';
  return startServerChild(
    {
      program: 'packages/server/src/main.ts',
      flags: startFlags(),
      folder,
      env: {
        NODE_ENV: production ? 'production' : 'development',
        WEBHOOK_ALLOW_LOCAL: production ? 'false' : 'true',
        DATABASE_URL: databaseUrl,
        ROLE: role,
        DATA_DIR: folder,
        HOST: '127.0.0.1',
        BASE_URL: undefined,
        TZ: 'UTC',
        LOG_LEVEL: production ? 'warn' : 'error',
        // Counted on every request as always, only never used up.
        RATE_LIMIT_WRITES_PER_MINUTE: '10000000',
        RATE_LIMIT_READS_PER_MINUTE: '10000000',
        RATE_LIMIT_STORE: rateLimitStore,
        // One attempt, so that what failed in one round does not come back in the next.
        WEBHOOK_RETRY_SCHEDULE: '0s',
      },
    },
    '/health/ready',
  );
}

/** The limits on memory that `npm start` sets. */
function startFlags(): string[] {
  const text = readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8');
  const { scripts } = JSON.parse(text) as { scripts: { start: string } };
  return scripts.start.split(' ').filter((word) => word.startsWith('--max-'));
}
