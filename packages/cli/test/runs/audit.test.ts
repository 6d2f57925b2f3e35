import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test, { type ExecutionContext } from 'ava';
import { newFolder, runCommand } from '../support/command.ts';
import { useServer } from '../support/service.ts';

const app = useSharedApp(test);
const { newWorkplace } = useServer(test, app);

/** An export of a run with 6 activity lines, and a command that verifies such a text without a server. */
async function exported(t: ExecutionContext) {
  const { org, runward } = await newWorkplace();
  const { templateId } = await publishProcess(org.api, [{ title: 'A' }]);
  const run = await launchRun(org.api, templateId);
  for (const title of ['Größe 😀', 'B', 'C', 'D', 'E']) {
    await must(org.api.call('runs', 'update', { params: { id: run.id }, body: { title } }));
  }
  const cwd = await newFolder(t);
  const { code, stderr } = await runward(['audit', 'export', run.id, 'run.jsonl'], { cwd });
  t.is(code, 0, stderr);
  const lines = (await readFile(join(cwd, 'run.jsonl'), 'utf8')).trimEnd().split('\n');
  const verify = (text: string, ...options: string[]) =>
    runCommand(['audit', 'verify', '-', ...options], { input: text });
  const broken = async (changed: readonly string[], message: string) => {
    const { code, stderr } = await verify(`${changed.join('\n')}\n`);
    t.deepEqual([code, stderr.trim()], [6, `Error: ${message}`]);
  };
  return { run, runward, cwd, lines, verify, broken };
}

test('an export is verified offline, from a file or stdin, also with other line ends', async (t) => {
  const { run, runward, cwd, lines, verify } = await exported(t);
  t.is(lines.length, 7);
  const verified = await runCommand(['audit', 'verify', 'run.jsonl'], { cwd });
  t.is(verified.code, 0, verified.stderr);
  const { count, runId, hash } = JSON.parse(verified.stdout) as { count: number; runId: string; hash: string };
  t.deepEqual([count, runId], [6, run.id]);
  t.is((await verify(lines.join('\r\n'))).code, 0);
  t.is((await runward(['audit', 'export', run.id])).stdout, `${lines.join('\n')}\n`);

  t.is((await verify(lines.join('\n'), '--contains', run.activityHash)).code, 0);
  const absent = await verify(
    lines.join('\n'),
    '--contains',
    hash.replace(/^./, (first) => (first === '0' ? '1' : '0')),
  );
  t.is(absent.code, 6);
  t.regex(absent.stderr, /^Error: No line has the hash /);
});

test('the first line that was changed, removed, inserted or moved is named', async (t) => {
  const { lines, verify, broken } = await exported(t);
  const line = (number: number) => lines[number] ?? '';
  const changed = 'it does not have the hash that it was written with.';
  await broken(lines.with(3, line(3).replace('"B"', '"X"')), `Line 3 was changed: ${changed}`);
  await broken(lines.with(2, 'no JSON'), `Line 2 was changed: ${changed}`);
  await broken(lines.with(2, `${'['.repeat(50_000)}${']'.repeat(50_000)}`), `Line 2 was changed: ${changed}`);
  await broken(lines.toSpliced(4, 1), 'Line 4 is missing: line 5 follows line 3.');
  await broken(lines.slice(0, -1), 'Line 6 is missing: the run has 6 lines.');
  await broken(lines.toSpliced(3, 0, line(2)), 'Line 3 was inserted: another line follows line 2.');
  await broken(lines.with(2, line(5)).with(5, line(2)), 'Line 2 was moved: line 5 stands in its place.');
  const twice = line(4).replace('{"actor"', '{"type":"run.cancelled","actor"');
  await broken(lines.with(4, twice), 'Line 4 was changed: it is not the canonical JSON of its content.');
  const { runId } = JSON.parse(line(0)) as { runId: string };
  const another = line(0).replace(
    runId,
    runId.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
  );
  t.regex(
    (await verify([another, ...lines.slice(1)].join('\n'))).stderr,
    /^Error: Line 1 is not the launch of the run /,
  );
  const count = line(0).replace('"count":6', '"count":7');
  await broken([count, ...lines.slice(1)], 'Line 7 is missing: the run has 7 lines.');
  t.is(
    (await verify('{"data":[]}')).stderr.trim(),
    'Error: stdin does not begin like an export of "runward audit export".',
  );
});

test('an export of a chain that is broken on the server fails, and has what the server returned', async (t) => {
  const { run, runward, cwd } = await exported(t);
  await app.provision.query('delete from activity where run_id = $1 and sequence = 6', [run.id]);
  const { code, stderr } = await runward(['audit', 'export', run.id, 'broken.jsonl'], { cwd });
  t.is(code, 6);
  t.regex(stderr, /The server returned a broken chain\. Line 6 is missing: the run has 6 lines\./);
  t.is((await readFile(join(cwd, 'broken.jsonl'), 'utf8')).trimEnd().split('\n').length, 6);
});

const python = spawnSync('python3', ['--version']).status === 0 ? test : test.skip;

python('the Python program of the guide verifies an export and finds a change', async (t) => {
  const { cwd, lines } = await exported(t);
  const guide = await readFile(new URL('../../../../docs/guides/audit.md', import.meta.url), 'utf8');
  const [, program = ''] = /```python\n(.*?)```/s.exec(guide) ?? [];
  const verify = async (changed: readonly string[]) => {
    await writeFile(join(cwd, 'run.jsonl'), `${changed.join('\n')}\n`);
    return spawnSync('python3', ['-c', program, 'run.jsonl'], { cwd, encoding: 'utf8' });
  };
  t.is((await verify(lines)).stdout, '6 lines are unchanged.\n');
  t.is((await verify(lines.with(3, (lines[3] ?? '').replace('"B"', '"X"')))).stderr, 'Line 3 was changed.\n');
  t.is((await verify(lines.slice(0, -1))).stderr, 'Lines are missing.\n');
});
