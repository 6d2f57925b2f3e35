import test from 'ava';
import { finished, spawnCommand } from './support/command.ts';

// The completion library writes to the stdout of its process.
const run = async (...args: string[]) => finished(spawnCommand(args));

test('completion prints a script for each shell; complete suggests commands, options and choices', async (t) => {
  const suggestions = async (...words: string[]) => {
    const { stdout } = await run('complete', '--', ...words);
    return stdout.split('\n').flatMap((line) => (/^:|^$/.test(line) ? [] : [line.split('\t')[0]]));
  };
  const scripts = await Promise.all(['bash', 'zsh', 'fish', 'powershell'].map((shell) => run('completion', shell)));
  for (const { code, stdout } of scripts) {
    t.is(code, 0);
    t.regex(stdout, /runward complete '?--/);
  }
  t.is((await run('completion', 'tcsh')).code, 2);
  t.deepEqual(await suggestions('profiles', ''), ['list', 'use', 'remove', 'help']);
  t.deepEqual(await suggestions('runs', 'list', '--st'), ['--status', '--stalled-for-days']);
  t.deepEqual(await suggestions('runs', 'list', '--status', ''), ['RUNNING', 'OVERDUE', 'COMPLETED', 'CANCELLED']);
});
