import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { contract, type Endpoint } from '@runward/contract';
import test from 'ava';

const root = dirname(dirname(import.meta.dirname));

interface Source {
  readonly path: string;
  readonly text: string;
  readonly imports: readonly string[];
}

const read = (pattern: string): Source[] =>
  globSync(pattern, { cwd: root }).map((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    const imports = [...text.matchAll(/^(?:import|export)\s[^;]*?from '([^']+)';/gm)].map((match) => match[1] ?? '');
    return { path, text, imports };
  });

const sources = read('packages/*/src/**/*.ts');
const everything = [
  ...sources,
  ...read('packages/*/test/**/*.ts'),
  ...read('{examples,scripts,benchmarks,chaos}/**/*.ts'),
];

/** Groups that have no handlers of their own: they answer about the process. */
const processGroups = new Set(['health', 'openapi']);

/** `runs.tasks` lives in `run-tasks.ts`, `apiKeys` in `api-keys.ts`. */
function fileOf(group: string): string {
  const [first = '', second] = group.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).split('.');
  return second === undefined ? `${first}.ts` : `${first.replace(/s$/, '')}-${second}.ts`;
}

test('a contract group has the same file name in the contract, the handlers and their tests', (t) => {
  for (const group of Object.keys(contract)) {
    const file = fileOf(group);
    t.true(existsSync(join(root, 'packages/contract/src', file)), `contract/src/${file}`);
    if (processGroups.has(group)) continue;
    t.true(existsSync(join(root, 'packages/server/src/api', file)), `server/src/api/${file}`);
    const tests = globSync(`packages/server/test/${basename(file, '.ts')}*.test.ts`, { cwd: root });
    t.true(tests.length > 0, `server/test/${file}`);
  }
});

test('a path stands once, in the contract', (t) => {
  const paths = Object.values(contract).flatMap((group) =>
    Object.values(group as Record<string, Endpoint>).map((endpoint) => endpoint.path),
  );
  t.is(paths.filter((path) => path.includes('/')).length, paths.length);
  const withParameter = new Set(paths.filter((path) => path.includes(':') || path.split('/').length > 2));
  for (const { path: file, text } of sources) {
    if (file.startsWith('packages/contract/')) continue;
    const strays = [...withParameter].filter((path) => text.includes(`'${path}'`) || text.includes(`\`${path}\``));
    t.deepEqual(strays, [], file);
  }
});

test('packages and folders import only what they may', (t) => {
  for (const { path, imports, text } of sources) {
    for (const name of imports) {
      const own = name.startsWith('.');
      if (path.startsWith('packages/contract/')) t.true(own || name === 'zod', `${path} imports ${name}`);
      if (path.startsWith('packages/engine/')) {
        t.true(own || name === '@runward/contract', `${path} imports ${name}`);
        if (!own) t.false(/^import \{[^}]*\} from '@runward\/contract'/m.test(text), `${path} must import types only`);
      }
      if (path.startsWith('packages/webhooks/')) t.true(own || name.startsWith('node:'), `${path} imports ${name}`);
      const isKoa = /^(koa($|-)|@koa\/)/.test(name);
      if (path.startsWith('packages/server/') && isKoa) {
        t.true(path.startsWith('packages/server/src/http/'), `${path} imports ${name}`);
      }
      if (path.startsWith('packages/server/src/') && !path.startsWith('packages/server/src/http/')) {
        const allowed = path.endsWith('/server.ts') || !/(^|\/)http\//.test(name);
        t.true(allowed, `${path} imports ${name}: only server.ts may know http/`);
      }
    }
  }
});

test('files stay short enough to read in one go', (t) => {
  for (const { path, text } of everything) {
    const most = path.endsWith('.test.ts') ? 400 : 250;
    const lines = text.split('\n').length - 1;
    t.true(lines <= most, `${path} has ${lines} lines, ${most} are allowed: split it by idea`);
  }
});

test('one explicit public surface per package: no other file only hands on', (t) => {
  for (const { path, text } of sources) {
    if (/^packages\/\w+\/src\/index\.ts$/.test(path)) continue;
    t.false(/^export (\*|\{[^}]*\}) from/m.test(text), `${path} re-exports`);
  }
});

const declaredName = /^(?:export )?(?:class|function|interface|type|const) (\w+)/gm;

test('names and suppressions follow the house', (t) => {
  for (const { path, text } of everything) {
    const names = [...text.matchAll(declaredName)].filter(([, name = '']) =>
      /(Service|Manager|Helper|Util)s?$/.test(name),
    );
    t.deepEqual(
      names.map((match) => match[1]),
      [],
      path,
    );
    for (const [line] of text.matchAll(/\/\/ (?:oxlint-disable|@ts-expect-error).*$/gm)) {
      t.regex(line, /(?:disable\S*|expect-error).*(?:--|:| - ).+/, `${path}: a suppression states its reason`);
    }
  }
});

test('every export says what it is', (t) => {
  for (const { path, text } of sources) {
    const bare = [...text.matchAll(/^(.*)\nexport (?:async )?(?:const|function|interface|type|class) (\w+)/gm)]
      .filter(([, before]) => !before?.trimEnd().endsWith('*/'))
      .map((match) => match[2]);
    t.deepEqual(bare, [], path);
  }
});
