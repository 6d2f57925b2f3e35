import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { contract, type Endpoint } from '@runward/contract';
import test from 'ava';

const root = dirname(dirname(import.meta.dirname));

interface Source {
  readonly path: string;
  readonly text: string;
  readonly imports: readonly string[];
}

/** Static imports and re-exports, with or without names, and dynamic imports. */
const importPattern = /^(?:import|export)\s(?:[^;]*?from )?'([^']+)'|\bimport\(\s*['"`]([^'"`]+)/gm;

const read = (pattern: string): Source[] =>
  globSync(pattern, { cwd: root }).map((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    const imports = [...text.matchAll(importPattern)].map((match) => match[1] ?? match[2] ?? '');
    return { path, text, imports };
  });

const sources = read('packages/*/src/**/*.ts');
const everything = [
  ...sources,
  ...read('packages/*/test/**/*.ts'),
  ...read('{examples,scripts,benchmarks,chaos}/**/*.ts'),
];

/** Groups whose handlers describe the process; they stand in `http/`, tested beside it. */
const processGroups = new Set(['health', 'openapi']);

/** The files below `contract/src` that declare a group's endpoints, like `runs/tasks.ts`. A group may have parts in several features. */
function filesOf(group: string): Set<string> {
  const endpoints = Object.values(contract[group as keyof typeof contract] as Record<string, Endpoint>);
  return new Set(
    endpoints.map(({ path }) => {
      const source = sources.find(
        (each) => each.path.startsWith('packages/contract/src/') && each.text.includes(`path: '${path}'`),
      );
      return source?.path.replace('packages/contract/src/', '') ?? `no file declares ${path}`;
    }),
  );
}

test('endpoints have the same path in the contract, the handlers and their tests', (t) => {
  for (const group of Object.keys(contract).filter((each) => !processGroups.has(each))) {
    for (const file of filesOf(group)) {
      for (const path of [
        `contract/src/${file}`,
        `server/src/${file}`,
        `server/test/${file.replace('.ts', '.test.ts')}`,
      ]) {
        t.true(existsSync(join(root, 'packages', path)), path);
      }
    }
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

test('packages import only what they may', (t) => {
  for (const { path, imports, text } of sources) {
    for (const name of imports) {
      const own = name.startsWith('.');
      if (path.startsWith('packages/contract/')) t.true(own || name === 'zod', `${path} imports ${name}`);
      if (path.startsWith('packages/engine/')) {
        t.true(own || name === '@runward/contract' || name === 'node:crypto', `${path} imports ${name}`);
        if (name === 'node:crypto') t.true(text.includes("import { createHash } from 'node:crypto'"), path);
        if (!own) t.false(/^import \{[^}]*\} from '@runward\/contract'/m.test(text), `${path} must import types only`);
      }
      if (path.startsWith('packages/webhooks/')) t.true(own || name.startsWith('node:'), `${path} imports ${name}`);
      if (path.startsWith('packages/server/') && /^(koa($|-)|@koa\/)/.test(name)) {
        t.true(path.startsWith('packages/server/src/http/'), `${path} imports ${name}`);
      }
    }
  }
});

test('no package or tool imports the files of another by relative path', (t) => {
  const homeOf = (path: string) => path.split('/', path.startsWith('packages/') ? 2 : 1).join('/');
  for (const { path, imports } of everything) {
    for (const name of imports.filter((each) => each.startsWith('.'))) {
      const target = join(dirname(path), name);
      t.is(homeOf(target), homeOf(path), `${path} imports ${name}: import it by the name of its package`);
    }
  }
});

test('what a package publishes imports neither test code nor the internals of the server', (t) => {
  for (const { path, imports } of sources.filter((source) => !source.path.startsWith('packages/testing/'))) {
    const strays = imports.filter((name) => /^@runward\/(?:testing|server)(?:\/|$)/.test(name));
    t.deepEqual(strays, [], path);
  }
});

/** The rooms of the server, lowest first: each may import from those before it. `.` holds what everything may use. */
const rooms = [
  ['.'],
  ['telemetry'],
  ['database'],
  ['adapters'],
  ['limits', 'scheduler'],
  ['access'],
  ['organization'],
  ['templates'],
  ['data-sources'],
  ['files'],
  ['webhooks'],
  ['runs'],
  ['analytics'],
  ['exports'],
  ['portals'],
  ['pages'],
  ['http'],
];
/** Where processes begin: these put the rooms together, and nothing imports them. */
const entryPoints = /^(bin|main|server|jobs)\.ts$|^admin\//;
const server = 'packages/server/src';

test('a room of the server imports only from rooms below it', (t) => {
  const roomOf = (file: string) => (file.includes('/') ? file.slice(0, file.indexOf('/')) : '.');
  const floorOf = (file: string) => rooms.findIndex((floor) => floor.includes(roomOf(file)));
  for (const { path, imports } of sources) {
    if (!path.startsWith(`${server}/`)) continue;
    const file = relative(server, path);
    if (entryPoints.test(file)) continue;
    t.not(floorOf(file), -1, `${file}: add its room to the list in this test`);
    for (const name of imports.filter((each) => each.startsWith('.'))) {
      const target = relative(server, join(dirname(path), name));
      t.false(entryPoints.test(target), `${file} imports ${target}: nothing imports an entry point`);
      // Entities are the schema. They know nothing but each other, so every room may refer to them; in database/ only their list does.
      const isSchema =
        target.includes('/entities/') &&
        !file.includes('/entities/') &&
        (roomOf(file) !== 'database' || file === 'database/entities.ts');
      const isBelow = roomOf(file) === roomOf(target) || floorOf(target) < floorOf(file);
      t.true(isSchema || isBelow, `${file} imports ${target}: move what both need into the lower room`);
      if (file.includes('/entities/')) {
        t.true(target.includes('/entities/'), `${file} imports ${target}: an entity knows only other entities`);
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
