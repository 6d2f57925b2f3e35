import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';

const run = promisify(execFile);
const script = join(import.meta.dirname, '..', 'check-commits.ts');
const first = 'refactor!: organize contract, server and tests by feature; describe HTTP';

const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false'];

/** A repository with one commit for each subject, oldest first. */
async function repository(t: ExecutionContext, subjects: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'runward-commits-'));
  t.teardown(() => rm(folder, { recursive: true }));
  await run('git', ['init', '--quiet', folder]);
  for (const subject of subjects) {
    await run('git', [...identity, '-C', folder, 'commit', '--quiet', '--allow-empty', '--no-verify', '-m', subject]);
  }
  return folder;
}

async function check(folder: string) {
  const ran = run(process.execPath, [script], { cwd: folder });
  return ran.then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      code: error.code,
      output: error.stdout + error.stderr,
    }),
  );
}

test('conventional subjects pass, and older commits are not checked', async (t) => {
  const later = ['feat(files): accept HEIC images', 'fix!: reject empty titles', 'docs: explain releases'];
  const folder = await repository(t, ['Lay out the repository', first, ...later]);
  t.deepEqual(await check(folder), {
    code: 0,
    output: 'Commit subjects checked: 4. All follow Conventional Commits.\n',
  });
});

for (const subject of [
  'Add files',
  'feature: add files',
  'feat(Files): add files',
  'feat:add files',
  'feat: add files.',
  'fixup! feat: add files',
]) {
  test(`the subject "${subject}" is listed, and fails the check`, async (t) => {
    const { code, output } = await check(await repository(t, [first, subject, 'fix: close the file']));
    t.is(code, 1);
    t.is(output.slice(0, output.indexOf(' do not follow')).slice(8), `${subject}\n1 of 3 commit subjects`);
  });
}

test('a shallow clone checks the commits it has, and says so', async (t) => {
  const origin = await repository(t, [first, 'Add files', 'fix: close the file']);
  const folder = join(origin, 'clone');
  await run('git', ['clone', '--quiet', '--depth', '1', `file://${origin}`, folder]);
  const { code, output } = await check(folder);
  t.is(code, 0);
  t.regex(output, /This clone is shallow: only the commits in it are checked\./);
  t.regex(output, /^Commit subjects checked: 1\./m);
});

test('a complete history without the first conventional commit fails the check', async (t) => {
  const { code, output } = await check(await repository(t, ['feat: add files']));
  t.is(code, 1);
  t.regex(output, /^The history lacks the commit/);
});
