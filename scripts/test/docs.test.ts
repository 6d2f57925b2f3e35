import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import test from 'ava';

const root = dirname(dirname(import.meta.dirname));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** Where a path in the text may begin. */
const bases = ['', 'packages', 'packages/server/src'];

/** All pages of the repository. */
function pages(): string[] {
  return globSync('{*.md,{docs,examples,benchmarks,chaos,packages/*,clients/*}/**/*.md}', {
    cwd: root,
    exclude: ['**/node_modules/**', '**/CHANGELOG.md'],
  });
}

/**
 * The code spans of a page that name a file or folder of the repository. Braces list several, as in
 * `http/{guard,admit}.ts`.
 */
function pathsIn(text: string): string[] {
  const spans = [...text.replaceAll(/^```[^]*?^```$/gm, '').matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
  return spans
    .filter((span) => /^[\w.][\w./{},*-]*(?:\/|\.(?:ts|md|json))$|^[\w.-]+\/[\w./{},*-]+$/.test(span))
    .flatMap((span) => expand(span));
}

function expand(path: string): string[] {
  const [braces, list] = /\{([^}]+)\}/.exec(path) ?? [];
  return braces === undefined || list === undefined
    ? [path]
    : list.split(',').flatMap((part) => expand(path.replace(braces, part)));
}

function exists(path: string): boolean {
  return bases.some((base) =>
    path.includes('*') ? globSync(join(root, base, path)).length > 0 : existsSync(join(root, base, path)),
  );
}

for (const page of ['docs/ARCHITECTURE.md', 'CONTRIBUTING.md']) {
  test(`every file and folder that ${page} names exists`, (t) => {
    const paths = pathsIn(read(page));
    t.true(paths.length > 10, 'The pattern of paths finds too few.');
    t.deepEqual(
      paths.filter((path) => !exists(path)),
      [],
    );
  });
}

test('docs/ARCHITECTURE.md names every package and every folder of the server', (t) => {
  const paths = new Set(pathsIn(read('docs/ARCHITECTURE.md')));
  const folders = [...globSync('packages/*/', { cwd: root }), ...globSync('packages/server/src/*/', { cwd: root })];
  t.deepEqual(
    folders.map((folder) => `${basename(folder)}/`).filter((folder) => !paths.has(folder)),
    [],
  );
});

test('every npm script that a page names exists', (t) => {
  const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: Readonly<Record<string, string>> };
  for (const page of pages()) {
    const names = [...read(page).matchAll(/\bnpm run (?:--silent )?([\w:]+)/g)].map(([, name = '']) => name);
    t.deepEqual(
      names.filter((name) => !Object.hasOwn(scripts, name)),
      [],
      page,
    );
  }
});

test('every relative link in a page leads to a file', (t) => {
  for (const page of pages()) {
    const targets = [...read(page).matchAll(/\]\(([^)\s#]+)[^)]*\)/g)].map(([, target = '']) => target);
    const broken = targets.filter((target) => !/^\w+:/.test(target) && !existsSync(join(root, dirname(page), target)));
    t.deepEqual(broken, [], page);
  }
});

test('every decision has the same form and is in the index', (t) => {
  const index = read('docs/decisions/README.md');
  for (const page of globSync('docs/decisions/0*.md', { cwd: root })) {
    const text = read(page);
    const name = basename(page);
    t.regex(text, new RegExp(`^# ${name.slice(0, 4)} [A-Z]`), page);
    t.regex(text, /^\*\*Context\.\*\* [^]*^\*\*Decision\.\*\*/m, page);
    t.true(index.includes(`[${name.slice(0, 4)}](${name})`), `docs/decisions/README.md lacks ${name}`);
  }
});
