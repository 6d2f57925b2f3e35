/**
 * Checks a database and the files that belong to it, on which no service runs: `npm run chaos:check`, with
 * `DATABASE_URL` and `DATA_DIR`. Prints violations, and exits with 1 if there are any. For dumps and backups that were
 * restored. With `--all-events`, no event may be missing; by default, a service may have deleted those that are older
 * than 29 days.
 */
import { parseArgs } from 'node:util';
import { checkAtRest } from './check-at-rest.ts';
import { collectAtRest } from './collect-at-rest.ts';

const { values: options } = parseArgs({ options: { 'all-events': { type: 'boolean', default: false } } });
const eventsSince = options['all-events'] ? 0 : Date.now() - 29 * 86_400_000;
const { DATABASE_URL: databaseUrl, DATA_DIR: dataDir } = process.env;
if (!databaseUrl || !dataDir) {
  console.error('Set DATABASE_URL and DATA_DIR to the database and the folder to check.');
  process.exit(2);
}
const found = await collectAtRest(databaseUrl, dataDir);
const violations = checkAtRest(found, eventsSince);
for (const { rule, detail } of violations) console.log(`violation: ${rule}: ${detail}`);
console.log(
  `${found.runs.length} runs, ${found.activity.length} facts, ${found.events.length} events, ${found.files.length} files`,
);
console.log(`violations ${violations.length}`);
process.exitCode = violations.length === 0 ? 0 : 1;
