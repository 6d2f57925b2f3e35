import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { repository } from '@runward/testing/program';
import test, { type ExecutionContext } from 'ava';
import { oasdiff } from '../breaking/oasdiff.ts';

const program = oasdiff(repository);
const withOasdiff = program === null ? test.skip : test;

type Properties = Readonly<Record<string, { readonly type: string }>>;

/** A document with one endpoint, which returns these properties. */
function documentWith(properties: Properties, operation: object = {}): object {
  const schema = { type: 'object', properties, required: Object.keys(properties) };
  const response = { description: 'A run.', content: { 'application/json': { schema } } };
  return {
    openapi: '3.1.1',
    info: { title: 'Runward', version: '0.1.0' },
    paths: { '/runs': { get: { ...operation, responses: { 200: response } } }, '/me': { get: { responses: {} } } },
  };
}

const [id, title] = [{ type: 'string' }, { type: 'string' }];

/** A repository whose server makes a document, and what the check says about it. */
function newRepository(t: ExecutionContext) {
  const folder = mkdtempSync(join(tmpdir(), 'runward-breaking-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args], { cwd: folder });
  const write = (path: string, content: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  };
  const server = { name: '@runward/server', version: '0.1.0', type: 'module' };
  const exports = { './internal/*': { '@runward/source': './src/*.ts' } };
  write('package.json', JSON.stringify({ name: 'runward', private: true, workspaces: ['packages/*'] }));
  write('packages/server/package.json', JSON.stringify({ ...server, exports }));
  write('.gitignore', 'node_modules/\n.runward-test/\n');
  const commit = (message: string, document: object) => {
    const code = `export const openApiDocument = () => (${JSON.stringify(document)});\n`;
    write('packages/server/src/http/openapi/document.ts', code);
    git('add', '-A');
    git('commit', '--quiet', '--no-verify', '--allow-empty', '-m', message);
  };
  git('init', '--quiet');
  execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', '--silent'], { cwd: folder });
  const script = join(repository, 'scripts/check-breaking.ts');
  const check = () => {
    const path = `${dirname(program ?? '')}:${process.env['PATH']}`;
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--conditions=@runward/source', script], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, PATH: path },
    });
    return { status, output: stdout + stderr };
  };
  return { git, commit, check };
}

withOasdiff('a property that was removed since the last release fails, until a commit is marked as breaking', (t) => {
  const { git, commit, check } = newRepository(t);
  commit('feat: add runs', documentWith({ id, title }));
  t.deepEqual(check(), {
    status: 0,
    output: 'There is no tag v* yet, so there is no release to compare with.\n',
  });
  git('tag', 'v0.9.0');
  commit('feat!: rename the title', documentWith({ id, name: title }));
  git('tag', 'v0.10.0');

  commit('feat: add a status', documentWith({ id, name: title, status: title }));
  t.deepEqual(check(), { status: 0, output: 'Nothing breaks clients of v0.10.0.\n' });

  commit('refactor: leave the name out', documentWith({ id }));
  const broken = check();
  t.is(broken.status, 1, broken.output);
  t.regex(broken.output, /GET \/runs removed the required property `name` from the response with the `200` status/);
  t.regex(broken.output, /mark a commit as breaking/);

  commit('docs: say what breaks\n\nBREAKING CHANGE: runs have no name', documentWith({ id }));
  const marked = check();
  t.is(marked.status, 0, marked.output);
  t.regex(marked.output, /marked as breaking:\n[0-9a-f]+ docs: say what breaks\n$/);
  t.is(String(git('worktree', 'list')).trim().split('\n').length, 1);
});

withOasdiff('an endpoint may be removed after its announced last day only', (t) => {
  const { git, commit, check } = newRepository(t);
  const without = { ...documentWith({ id }), paths: { '/me': { get: { responses: {} } } } };
  const cases = [
    [{ deprecated: true, 'x-sunset': '2020-01-01' }, 0],
    [{ deprecated: true, 'x-sunset': '2999-01-01' }, 1],
    [{ deprecated: true }, 1],
    [{}, 1],
  ] as const;
  for (const [index, [operation, status]] of cases.entries()) {
    commit('feat: add runs', documentWith({ id }, operation));
    git('tag', `v1.${index}.0`);
    commit('feat: remove runs', without);
    const ended = check();
    t.is(ended.status, status, `${JSON.stringify(operation)}: ${ended.output}`);
  }
});
