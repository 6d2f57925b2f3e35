import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify, stripVTControlCharacters as plain } from 'node:util';
import { repository } from '@runward/testing/program';
import test, { type ExecutionContext } from 'ava';

const run = promisify(execFile);
const { scripts } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};
const command = `${scripts['check:commits']} --config ${join(repository, 'commitlint.config.ts')}`;
const first = 'refactor!: organize contract, server and tests by feature; describe HTTP';

const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false'];

/** A repository with one commit for each message, oldest first. */
async function historyOf(t: ExecutionContext, messages: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'runward-commits-'));
  t.teardown(() => rm(folder, { recursive: true }));
  await run('git', ['init', '--quiet', folder]);
  for (const message of messages) {
    await run('git', [...identity, '-C', folder, 'commit', '--quiet', '--allow-empty', '--no-verify', '-m', message]);
  }
  return folder;
}

/** Runs `npm run check:commits` in a repository. Returns what it prints. */
async function check(folder: string) {
  const ran = run('sh', ['-c', command], { cwd: folder });
  return ran.then(
    ({ stdout, stderr }) => ({ passed: true, output: plain(stdout + stderr) }),
    ({ stdout, stderr }: { stdout: string; stderr: string }) => ({ passed: false, output: plain(stdout + stderr) }),
  );
}

test('conventional commits pass, and older ones are not checked', async (t) => {
  const long = `perf(s3): read ${'much '.repeat(30)}less`;
  const later = ['feat(files): accept HEIC images', 'fix!: Unicode in titles', `${long}\n\n${long}.\nSee: ${long}`];
  t.deepEqual(await check(await historyOf(t, ['Lay out the repository', first, ...later])), {
    passed: true,
    output: '',
  });
});

test('subjects that are not conventional are printed, and fail the check', async (t) => {
  const subjects = [
    'Add files',
    'feature: add files',
    'feat(Files): add files',
    'feat:add files',
    'feat: add files.',
    'fixup! feat: add files',
  ];
  const { passed, output } = await check(await historyOf(t, [first, ...subjects, 'fix: close the file']));
  t.false(passed);
  // The newest is checked first.
  t.deepEqual(output.match(/(?<=--- input ---\n).*/g), subjects.toReversed());
  t.is(output.match(/^✖ +found/gm)?.length, subjects.length, 'each by an error, not by a warning');
});

test('of a shallow clone, the commits it has are checked', async (t) => {
  const origin = await historyOf(t, [first, 'Add files', 'fix: close the file']);
  for (const [depth, passed] of [
    [1, true],
    [2, false],
  ] as const) {
    const folder = join(origin, `clone-${depth}`);
    await run('git', ['clone', '--quiet', '--depth', `${depth}`, `file://${origin}`, folder]);
    t.is((await check(folder)).passed, passed);
  }
});

test('of a history without the first conventional commit, all commits are checked', async (t) => {
  t.false((await check(await historyOf(t, ['Lay out the repository', 'feat: add files']))).passed);
});

test('merge commits are not checked', async (t) => {
  const folder = await historyOf(t, [first, 'fix: close the file']);
  const git = (...args: string[]) => run('git', [...identity, '-C', folder, ...args]);
  await git('checkout', '--quiet', '-b', 'other', 'HEAD^');
  await git('commit', '--quiet', '--allow-empty', '-m', 'feat: add files');
  await git('merge', '--quiet', '--no-ff', '-m', 'Merge the files', '-');
  t.true((await check(folder)).passed);
});
