import { Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import { Client } from 'pg';
import { closeDatabase } from './close-database.ts';
import { Migration0001Foundation } from './migrations/0001-foundation.ts';
import { Migration0002Agenda } from './migrations/0002-agenda.ts';
import { Migration0003Sessions } from './migrations/0003-sessions.ts';
import { Migration0004Events } from './migrations/0004-events.ts';

/** Every migration, oldest first. The database records the names of those that were applied. */
const migrations = [
  { name: '0001-foundation', class: Migration0001Foundation },
  { name: '0002-agenda', class: Migration0002Agenda },
  { name: '0003-sessions', class: Migration0003Sessions },
  { name: '0004-events', class: Migration0004Events },
];

/** Key of the advisory lock on which processes that migrate the same database wait for each other; any fixed number. */
const migrationLock = 7_786_927;

/** Migrates a database to the latest version, or to the named one. If several processes start together, one migrates and the others wait. */
export async function migrate(url: string, version?: string): Promise<void> {
  const lock = new Client({ connectionString: url });
  await lock.connect();
  try {
    await lock.query('select pg_advisory_lock($1)', [migrationLock]);
    const orm = await MikroORM.init({
      clientUrl: url,
      entities: [],
      discovery: { warnWhenNoEntities: false },
      extensions: [Migrator],
      migrations: { migrationsList: migrations, snapshot: false, tableName: 'migrations', silent: true },
      pool: { max: 2 },
    });
    try {
      await orm.migrator.up(version === undefined ? {} : { to: version });
    } finally {
      await closeDatabase(orm);
    }
  } finally {
    // Ending the connection releases the lock.
    await lock.end();
  }
}
