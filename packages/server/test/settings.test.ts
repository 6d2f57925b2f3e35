import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { limits, limitVariable, type LimitName } from '@runward/contract';
import { repository } from '@runward/testing/program';
import test from 'ava';
import { readConfig } from '../src/config.ts';
import { secretNames, variableNames } from '../src/environment.ts';
import { jobsOf, type JobParts } from '../src/jobs.ts';
import { fileVariable } from '../src/settings/secret-files.ts';

const read = (path: string) => readFileSync(join(repository, path), 'utf8');

test('.env.example names every variable of the service, and only what compose.yaml reads besides', (t) => {
  const named = [...read('.env.example').matchAll(/^# ([A-Z_]+)=/gm)].map(([, name = '']) => name);
  t.is(new Set(named).size, named.length, 'a variable is there twice');
  const missing = variableNames.filter((name) => !named.includes(name));
  t.deepEqual(missing, []);
  const compose = read('compose.yaml');
  const others = named.filter((name) => !variableNames.includes(name));
  t.deepEqual(
    others.filter((name) => !compose.includes(name)),
    [],
  );
});

test('the defaults and examples in .env.example are valid', (t) => {
  const lines = [...read('.env.example').matchAll(/^# ([A-Z_]+)=(.+)$/gm)].map(([, name = '', value = '']) => [
    name,
    value,
  ]);
  t.notThrows(() => readConfig(Object.fromEntries(lines) as Record<string, string>));
});

test('compose.yaml passes every variable on, except those that the image or the role decides', (t) => {
  const decided = ['NODE_ENV', 'HOST', 'PORT', 'DATA_DIR', 'POSTGRES_PORT', 'WEBHOOK_ALLOW_LOCAL'];
  const compose = read('compose.yaml');
  t.deepEqual(variableNames.filter((name) => !new RegExp(`[ {]${name}:`).test(compose)).toSorted(), decided.toSorted());
});

test('the guide to operations has every variable in its table', (t) => {
  const [table = ''] = read('docs/guides/operations.md').match(/^\| Variable[^]*?\n\n/m) ?? [];
  t.deepEqual(
    variableNames.filter((name) => !name.startsWith('LIMIT_') && !table.includes(`\`${name}\``)),
    [],
  );
});

test('the guide to operations names every secret that can be in a file', (t) => {
  const [section = ''] = read('docs/guides/operations.md').match(/^### Secrets in files[^]*?(?=^#)/m) ?? [];
  const named = [...section.matchAll(/`([A-Z_]+_FILE)`/g)].map(([, name]) => name);
  t.deepEqual(named, secretNames.map(fileVariable));
});

test('the guide to operations has every limit of the contract in its table, with its default and what it bounds', (t) => {
  const [table = ''] = read('docs/guides/operations.md').match(/^\| Variable +\| Default +\| Bounds[^]*?\n\n/m) ?? [];
  const rows = table.split('\n').slice(2, -2);
  const cells = rows.map((row) => row.split('|').map((cell) => cell.trim()));
  const wanted = Object.entries(limits).map(([name, { default: value, unit, bounds, beyond }]) => [
    '',
    `\`${limitVariable(name as LimitName)}\``,
    `${value.toLocaleString('en')} ${unit}`,
    bounds,
    beyond,
    '',
  ]);
  t.deepEqual(cells, wanted);
});

test('the guide to operations has every job in its table, in their order', (t) => {
  const [table = ''] = read('docs/guides/operations.md').match(/^\| Job[^]*?\n\n/m) ?? [];
  const named = [...table.matchAll(/^\| `([^`]+)`/gm)].map(([, name]) => name);
  // No job runs here, so none needs its parts.
  const jobs = jobsOf({} as JobParts).map(({ name }) => name);
  t.deepEqual(named, jobs);
});
