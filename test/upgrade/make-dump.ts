/**
 * Makes the dump of a version: `npm run upgrade:dump [-- BIN_FOLDER]`. Starts the service on an empty PostgreSQL 15,
 * the oldest that is supported, fills every table through the API, and writes `dumps/VERSION.sql.gz` and, with the keys
 * and files that belong to it, `dumps/VERSION.json`. BIN_FOLDER has the programs of that PostgreSQL, with `pg_dump`.
 */
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { openDatabase } from '@runward/server/internal/database/database';
import { ensureDatabase } from '@runward/server/internal/database/embedded/postgres';
import manifest from '@runward/server/package.json' with { type: 'json' };
import { apiOf, signIn, type Api } from '@runward/testing/api';
import { newDataFolder } from '@runward/testing/data-folder';
import { startSmtp } from '@runward/testing/mail/smtp';
import { startScriptedProvider } from '@runward/testing/openid/scripted-provider';
import type { TestOrganization } from '@runward/testing/organization';
import { freePort } from '@runward/testing/ports';
import { startPostgresServer } from '@runward/testing/postgres/server';
import { launchRun, must } from '@runward/testing/process';
import { provisionIn } from '@runward/testing/provision';
import { startReceiver } from '@runward/testing/receiver';
import { startService } from '@runward/testing/service';
import { until } from '@runward/testing/until';
import { dumps, emptyTables, writeDump } from './dump.ts';
import { fill } from './fill.ts';

const binaries = process.argv[2] ?? '/usr/lib/postgresql/15/bin';
const { version } = manifest;
await using started = new AsyncDisposableStack();

const postgres = await startPostgresServer({ binaries });
started.defer(() => postgres.stop());
const url = postgres.url('runward');
await ensureDatabase(url);
const folder = started.use(await newDataFolder());
const smtp = started.use(await startSmtp());
const receiver = started.use(await startReceiver());
const provider = started.use(await startScriptedProvider());
const port = String(await freePort());
const settings = {
  DATABASE_URL: url,
  PORT: port,
  BASE_URL: `http://127.0.0.1:${port}`,
  WEBHOOK_ALLOW_LOCAL: 'true',
  OIDC_ISSUER: provider.issuer,
  OIDC_CLIENT_ID: 'runward',
  SMTP_URL: smtp.url,
  MAIL_FROM: 'Runward <runward@example.com>',
  MAIL_DELAY_SECONDS: '0',
};

const working = await startService(folder.path, settings);
started.defer(() => void working.child.kill('SIGKILL'));
await working.ready();
const database = await openDatabase(url);
started.defer(() => database.close());
const org = await organizationAt(working.baseUrl, working.api());
const around = { baseUrl: working.baseUrl, provision: provisionIn(database), receiverUrl: receiver.url, provider };
const { world, ids } = await fill(around, org);
await smtp.wait(1);
// The counter changes are folded from time to time.
await until(
  async () => (await emptyTables(url)).every((name) => name === 'run_counter_changes'),
  'rows in every table',
);
working.child.kill('SIGTERM');
await working.exited;

// What a worker has yet to do: a new version finds work in progress.
const api = await startService(folder.path, { ...settings, ROLE: 'api' });
started.defer(() => void api.child.kill('SIGKILL'));
await api.ready();
await launchRun(apiOf(api.baseUrl, org.apiKey), world.ids.template, { title: 'The last one' });
api.child.kill('SIGTERM');
await api.exited;

const empty = await emptyTables(url);
if (empty.length > 0) throw new Error(`These tables are empty: ${empty.join(', ')}. Fill them in fill.ts.`);
const sql = execFileSync(
  join(binaries, 'pg_dump'),
  ['--inserts', '--rows-per-insert=50', '--no-owner', '--no-privileges', '--dbname', url],
  { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
);
const files = globSync('**', { cwd: join(folder.path, 'files'), withFileTypes: true })
  .filter((each) => each.isFile())
  .map((each) => join(each.parentPath, each.name))
  .map((path) => [relative(join(folder.path, 'files'), path), readFileSync(path).toString('base64')] as const);
const { apiKey, ownerEmail, ownerPassword, ownerUserId, organizationId, signingSecret } = org;
const { template, run, runTask, file, webhook, portal, dataSource } = world.ids;
writeDump({
  sql: plain(sql),
  keys: {
    version,
    organizationId,
    ownerUserId,
    ownerEmail,
    ownerPassword,
    apiKey,
    signingSecret,
    ids: { template, run, runTask, file, webhook, portal, dataSource, ...ids },
    files: Object.fromEntries(files),
  },
});
console.log(`Wrote ${dumps}/${version}.sql.gz and ${version}.json.`);

/** The SQL without the lines that begin with a backslash, which only psql understands. */
function plain(text: string): string {
  return text.replaceAll(/^\\(?:un)?restrict .*\n/gm, '');
}

/** The organization of the first start. */
async function organizationAt(baseUrl: string, ofOwner: Api): Promise<TestOrganization> {
  const path = join(folder.path, 'credentials.json');
  const made = JSON.parse(readFileSync(path, 'utf8')) as Omit<TestOrganization, 'ownerUserId' | 'apiKeyId'>;
  const session = () => signIn(baseUrl, made.ownerEmail, made.ownerPassword);
  const { data } = await must((await session()).call('users', 'list'));
  const ownerUserId = data.find(({ email }) => email === made.ownerEmail)?.id ?? '';
  const none = () => Promise.reject(new Error('The world does not need this.'));
  const own = { apiKeyId: '', key: none, plainKey: none, setPlan: none, member: none };
  return { ...made, ...own, ownerUserId, api: ofOwner, session };
}
