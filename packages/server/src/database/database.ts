import { EntityManager, MikroORM, type PostgreSqlDriver } from '@mikro-orm/postgresql';
import type { Kysely } from 'kysely';
import type { Pool } from 'pg';
import { createCaches, type Caches } from '../caches.ts';
import type { PoolUse } from '../telemetry/pool-metrics.ts';
import { preparingClient } from './connection/preparing-client.ts';
import { entities } from './entities.ts';
import { failedConnection } from './errors.ts';
import type { Tables } from './tables.ts';

/**
 * Creates a part that exists once per database, such as a cache of its rows, or a queue of calls that share statements.
 */
export type Shared<Part> = (caches: Caches) => Part;

/**
 * The entity manager of one request or job, never shared between two. The entities determine the types of its queries.
 */
export type Em = {
  getKysely(): Kysely<Tables>;
  /** The part that `create` makes, which is the same for all entity managers of this database. */
  shared<Part>(create: Shared<Part>): Part;
} & EntityManager;

/** The ORM on one connection pool. */
export interface Database {
  /** Not for queries: every request and job forks it. */
  readonly em: Em;
  close(): Promise<void>;
}

/** Timeouts that keep a stalled or lost PostgreSQL from blocking requests forever (milliseconds). */
export const ownTimeouts = {
  connectionTimeoutMillis: 5_000,
  query_timeout: 15_000,
  statement_timeout: 10_000,
  lock_timeout: 3_000,
  idle_in_transaction_session_timeout: 15_000,
};

/** Options that can differ from those of the service: the number of connections, and timeouts in milliseconds. */
export interface DatabaseOptions {
  /** Default: 10. */
  readonly poolSize?: number;
  readonly timeouts?: Partial<typeof ownTimeouts>;
  /** Where caches of rows are created. */
  readonly caches?: Caches;
  /** Called with the pool of connections when it is created. */
  readonly onPool?: (pool: PoolUse) => void;
  /** Called when PostgreSQL reports that its disk is full. */
  readonly onFullDisk?: () => void;
}

/**
 * Opens the database, which must have been migrated (see `migrate.ts`). The driver reads the whole URL itself, because
 * the ORM would only take the host, user and name from it, but not a Unix socket or the TLS settings.
 */
export async function openDatabase(
  url: string,
  { poolSize = 10, timeouts, caches = createCaches(), onPool, onFullDisk = () => {} }: DatabaseOptions = {},
): Promise<Database> {
  const parts = new Map<Shared<unknown>, unknown>();
  class SharingEntityManager extends EntityManager {
    shared<Part>(create: Shared<Part>): Part {
      if (!parts.has(create)) parts.set(create, create(caches));
      return parts.get(create) as Part;
    }
  }
  return MikroORM.init<PostgreSqlDriver, Em>({
    clientUrl: url,
    entityManager: SharingEntityManager,
    entities: [...entities],
    pool: { max: poolSize },
    driverOptions: {
      ...ownTimeouts,
      ...timeouts,
      keepAlive: true,
      connectionString: url,
      Client: preparingClient(url, onFullDisk),
      onPoolCreated: (pool: Pool) => {
        nameFailures(pool);
        onPool?.(pool);
      },
    },
    // A pooler may call the database by another name.
    ensureDatabase: false,
    // In a batch, several versioned rows would be written without their version check.
    useBatchUpdates: false,
    logger: () => {},
  });
}

/**
 * Turns every failure of the pool to return a connection, such as a wrong password or a time-out, into a failed
 * connection.
 */
function nameFailures(pool: Pool): void {
  const connect = pool.connect.bind(pool);
  pool.connect = (async () => {
    try {
      return await connect();
    } catch (error) {
      throw failedConnection(error);
    }
  }) as Pool['connect'];
}
