import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '@runward/testing/program';
import { startServer, type ServerProcess } from './server-process.ts';

/** How the service runs while it is measured. */
export interface ServiceOptions {
  readonly databaseUrl: string;
  readonly folder: string;
  /**
   * Throughput is measured in `production`. Only `local` lets webhooks call this machine; it also checks each response
   * against the contract.
   */
  readonly mode: 'production' | 'local';
  /** The role of the process. Default: `all`. */
  readonly role?: Role;
  /** Whether to start the output of `npm run build`, as in an installed package. Default: the sources. */
  readonly built?: boolean;
  /** Further settings. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Everything in one process, only the API, or only delivery and jobs. */
export type Role = 'all' | 'api' | 'worker';

/** Starts the service as `npm start` would, and waits until it is ready. */
export async function startRunward({
  databaseUrl,
  folder,
  mode,
  role = 'all',
  built = false,
  env = {},
}: ServiceOptions): Promise<ServerProcess> {
  const production = mode === 'production';
  return startServer(
    built ? 'packages/server/dist/bin.js' : 'packages/server/src/bin.ts',
    {
      fromSources: !built,
      flags: memoryFlags(),
      cwd: folder,
      // Outside production the log has only warnings and errors, which belong on the terminal.
      ...(production && { logFile: join(folder, 'service.log') }),
      env: {
        NODE_ENV: production ? 'production' : 'development',
        WEBHOOK_ALLOW_LOCAL: production ? 'false' : 'true',
        DATABASE_URL: databaseUrl,
        ROLE: role,
        DATA_DIR: folder,
        HOST: '127.0.0.1',
        BASE_URL: undefined,
        TZ: 'UTC',
        LOG_LEVEL: production ? 'info' : 'error',
        // Counted on every request as usual, but never reached.
        RATE_LIMIT_WRITES_PER_MINUTE: '10000000',
        RATE_LIMIT_READS_PER_MINUTE: '10000000',
        // The limit is one attempt, so that a delivery that fails in one round is not retried in the next.
        WEBHOOK_RETRY_SCHEDULE: '0s',
        ...env,
      },
    },
    '/health/ready',
  );
}

/** The memory limits that `npm start` sets. */
function memoryFlags(): string[] {
  const text = readFileSync(join(repository, 'package.json'), 'utf8');
  const { scripts } = JSON.parse(text) as { scripts: { start: string } };
  return scripts.start.split(' ').filter((word) => word.startsWith('--max-'));
}
