/**
 * Records the examples of the OpenAPI document: `npm run examples`. Sends the calls of
 * `packages/server/test/support/examples` to the service on a throw-away database. Writes requests and responses, with
 * fixed ids, times and secrets, to `examples.json` of each feature of the contract. Run it after each change of the
 * contract or of these calls.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { EndpointExample } from '@runward/contract/examples';
import { startApp } from '@runward/testing/app';
import { startReceiver } from '@runward/testing/receiver';
import { record } from './examples/record.ts';
import { endpointOf } from './generate/operations.ts';
import { onTestDatabase } from './test-database.ts';

const root = join(import.meta.dirname, '..');
const source = join(root, 'packages', 'contract', 'src');
const sources = globSync('*/*.ts', { cwd: source }).map((path) => ({
  feature: dirname(path),
  text: readFileSync(join(source, path), 'utf8'),
}));

/** The feature whose files declare an endpoint or an event. */
function featureOf(name: string): string {
  const event = /^event\.(.+)/.exec(name)?.[1];
  const declaration = event === undefined ? `path: '${endpointOf(name).path}'` : `'${event}': `;
  const found = sources.find(({ text }) => text.includes(declaration));
  if (!found) throw new Error(`No file of the contract declares ${name}.`);
  return found.feature;
}

const examples = await onTestDatabase(async (environment) => {
  Object.assign(process.env, environment);
  await using stack = new AsyncDisposableStack();
  const app = await startApp(stack, { retrySchedule: [0] });
  const receiver = stack.use(await startReceiver());
  return await record(app, receiver.url);
});

const byName = [...examples]
  .filter(([, example]) => Object.keys(example).length > 0)
  .sort(([a], [b]) => (a < b ? -1 : 1));
const features = Map.groupBy(byName, ([name]) => featureOf(name));
const files = [...features].map(([feature, own]) => {
  const path = join(source, feature, 'examples.json');
  if (!existsSync(path)) console.log(`${feature}: import the new file in packages/contract/src/examples.ts.`);
  writeFileSync(path, JSON.stringify(Object.fromEntries<EndpointExample>(own), null, 2));
  return path;
});
execFileSync(join(root, 'node_modules', '.bin', 'oxfmt'), files, { cwd: root });
console.log(`${byName.length} examples in ${files.length} files`);
