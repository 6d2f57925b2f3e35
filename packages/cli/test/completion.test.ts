import test from 'ava';
import { runCommand } from './support/command.ts';

test('every shell gets a script, and the script gets commands, options and choices', async (t) => {
  const suggestions = async (...words: string[]) => {
    const { stdout } = await runCommand(['complete', '--', ...words]);
    return stdout.split('\n').flatMap((line) => (/^:|^$/.test(line) ? [] : [line.split('\t')[0]]));
  };
  const scripts = await Promise.all(
    ['bash', 'zsh', 'fish', 'powershell'].map((shell) => runCommand(['completion', shell])),
  );
  for (const { code, stdout } of scripts) {
    t.is(code, 0);
    t.regex(stdout, /runward complete '?--/);
  }
  t.is((await runCommand(['completion', 'tcsh'])).code, 2);
  t.deepEqual(await suggestions('profiles', ''), ['list', 'use', 'remove', 'help']);
  t.deepEqual(await suggestions('runs', 'list', '--st'), ['--status', '--stalled-for-days']);
  t.deepEqual(await suggestions('runs', 'list', '--status', ''), ['RUNNING', 'OVERDUE', 'COMPLETED', 'CANCELLED']);
});
