import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { repository } from '@runward/testing/program';
import { lastRelease } from '@runward/testing/releases/release';
import test from 'ava';

const folder = 'packages/server/src/database/migrations';

/**
 * Migrations since the last release that remove something, or demand what its processes do not write, and why its
 * processes can go on. Rows of earlier releases may be deleted.
 */
const contractions: readonly (readonly [migration: string, reason: string])[] = [];

/** Migrations since the last release beside which its processes cannot go on, and why. */
const interruptions: readonly (readonly [migration: string, reason: string])[] = [];

/** Statements that a process which does not know them may fail on. Indexes are not named by statements. */
const contracting = [
  /\bdrop\s+(?:table|column|constraint|type|function|view|sequence)\b[^;,]*/gi,
  /\balter\s+table\s+\S+\s+(?:[^;]*,\s*)?drop\s+(?!column|constraint|default|not)\w+[^;,]*/gi,
  /\brename\b[^;,]*/gi,
  /\bset\s+not\s+null\b/gi,
  /\badd\s+(?:column\s+)?(?!constraint)\w+\s+(?:(?!\bdefault\b|\bgenerated\b)[^;,(])*\bnot\s+null\b(?![^;,]*\b(?:default|generated)\b)/gi,
  /\balter\s+(?:column\s+)?\w+\s+(?:set\s+data\s+)?type\b[^;,]*/gi,
  /\badd\s+constraint\b[^;,]*\b(?:check|unique|foreign\s+key)\b/gi,
  /\bcreate\s+unique\s+index\b[^;(]*/gi,
];

/** What in the SQL of a migration may break processes of the version before. */
function contractionsOf(text: string): string[] {
  const statements = text.replaceAll(/\/\*[^]*?\*\/|--.*$/gm, '').replaceAll(/\s+/g, ' ');
  // What a migration has itself created is new, and no old process knows it.
  const created = new Set([...statements.matchAll(/create (?:unlogged )?table (\w+)/gi)].map(([, name = '']) => name));
  return statements
    .split(';')
    .filter((statement) => !created.has(/(?:alter table|index \w+ on) (\w+)/i.exec(statement)?.[1] ?? ''))
    .flatMap((statement) => contracting.flatMap((pattern) => [...statement.matchAll(pattern)].map(([found]) => found)));
}

/** The names of the migrations of a version; null: of the working tree. */
function migrationsOf(tag: string | null): string[] {
  const paths =
    tag === null
      ? globSync('*.ts', { cwd: join(repository, folder) })
      : execFileSync('git', ['ls-tree', '--name-only', tag, `${folder}/`], { cwd: repository, encoding: 'utf8' }).split(
          '\n',
        );
  return paths.filter((path) => /\/?\d{4}-[^/]*\.ts$/.test(path)).map((path) => basename(path, '.ts'));
}

test('statements that remove, rename or demand something are found, and those that only add are not', (t) => {
  for (const statement of [
    'drop table old_things;',
    'alter table runs drop column color;',
    'alter table runs drop color;',
    'alter table runs add shade text, drop color;',
    'alter table runs rename column color to shade;',
    'alter table runs rename to flows;',
    'alter table runs alter color set not null;',
    'alter table runs add column color text not null;',
    'alter table runs add color text not null, add shade text;',
    'alter table runs alter color type integer;',
    `alter table runs add constraint runs_color_check check (color <> '');`,
    'create unique index runs_color_key on runs (organization_id, color);',
  ])
    t.not(contractionsOf(`export const sql = \`\n  ${statement}\n\`;`).length, 0, statement);
  for (const statement of [
    'create table things (id uuid not null, name text not null);',
    'create table things (id uuid); create unique index things_key on things (id);',
    'alter table runs add column color text;',
    `alter table runs add color text not null default 'red';`,
    `alter table runs add color text default 'red' not null;`,
    'alter table runs alter color drop not null;',
    'alter table runs alter color drop default;',
    'create index runs_color_index on runs (organization_id, color);',
    'drop index runs_old_index;',
    '-- drop table runs;',
  ])
    t.deepEqual(
      contractionsOf(`/** Does not drop table. */\nexport const sql = \`\n  ${statement}\n\`;`),
      [],
      statement,
    );
});

test('migrations since the last release only expand, unless a list says why processes of that release can go on', (t) => {
  const release = lastRelease(repository);
  if (release === null) {
    t.log('There is no tag v* yet, so no migration is newer than the last release.');
    t.true(migrationsOf(null).includes('0001-baseline'));
    return;
  }
  const released = migrationsOf(release);
  t.true(released.length > 0, release);
  for (const name of migrationsOf(null).filter((each) => !released.includes(each))) {
    const isListed = (list: typeof contractions) => list.some(([each]) => each === name);
    const found = contractionsOf(readFileSync(join(repository, folder, `${name}.ts`), 'utf8'));
    if (!isListed(contractions)) {
      t.deepEqual(found, [], `${name}: expand now and contract in the next release, or say in this file why it can`);
    }
    const suffix = found.length > 0 ? /-compatible-since-\d{4}$/ : /-compatible(?:-since-\d{4})?$/;
    if (!isListed(interruptions)) t.regex(name, suffix, `${name}: see decision 0101 for its name`);
  }
});
