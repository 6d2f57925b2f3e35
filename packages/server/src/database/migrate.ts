import { Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import { Client } from 'pg';
import { closeInTime } from './close-in-time.ts';
import { Migration0001Foundation } from './migrations/0001-foundation.ts';
import { Migration0002Agenda } from './migrations/0002-agenda.ts';
import { Migration0003Sessions } from './migrations/0003-sessions.ts';
import { Migration0004Events } from './migrations/0004-events.ts';

/** Every migration, oldest first; names are what the database remembers. */
const migrations = [
  { name: '0001-foundation', class: Migration0001Foundation },
  { name: '0002-agenda', class: Migration0002Agenda },
  { name: '0003-sessions', class: Migration0003Sessions },
  { name: '0004-events', class: Migration0004Events },
];

/** Any fixed number: processes that migrate the same database wait for each other on it. */
const migrationLock = 7_786_927;

/** Brings a database up to date, or to an older version by its name. Safe when several processes start at once: one migrates, the others wait. */
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
      await closeInTime(orm);
    }
  } finally {
    // Ending the connection releases the lock.
    await lock.end();
  }
}
