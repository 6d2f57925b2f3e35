import { spawn, spawnSync } from 'node:child_process';
import { access, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { launchRun, publishProcess } from '@runward/testing/process';
import test, { type ExecutionContext } from 'ava';
import { command, environment, finished, newFolder } from './support/command.ts';
import { useServer } from './support/service.ts';
import { hasTerminal } from './support/terminal.ts';

const { newWorkplace } = useServer(test);

const has = (shell: string) => spawnSync(shell, ['--version']).error === undefined;
const inBash = has('bash') ? test : test.skip;
// The line editor of zsh needs a terminal.
const inZsh = has('zsh') && hasTerminal ? test : test.skip;
const inFish = has('fish') ? test : test.skip;

/**
 * A template with a run, and a shell environment whose command `runward` knows them. `lines` are to be completed. If
 * the shell evaluated the last ones, they would write a file.
 */
async function prepare(t: ExecutionContext) {
  const { org, env } = await newWorkplace();
  const { templateId } = await publishProcess(org.api, [{ title: 'Only task' }], { name: 'Onboarding: employees' });
  const { publicId } = await launchRun(org.api, templateId);
  const folder = await newFolder(t);
  const program = command.map((word) => `'${word}'`).join(' ');
  await mkdir(join(folder, 'bin'));
  await writeFile(join(folder, 'bin', 'runward'), `#!/bin/sh\nexec ${program} "$@"\n`, { mode: 0o755 });
  const lines = [
    'runward profiles l',
    'runward runs list --stat',
    'runward runs list --status=o',
    'runward --timeout 30 runs get RUN-',
    'runward --timeout 30 runs list --template "Onb',
    'runward --timeout 30 runs list --template=onb',
    `runward runs list --search $(touch ${folder}/evaluated) --status ru`,
    `runward runs list --search=$(>${folder}/evaluated)=`,
  ];
  const run = async (program: string, args: readonly string[], more: Readonly<Record<string, string>> = {}) => {
    const own = { ...env, ...more, XDG_CACHE_HOME: folder, HOME: folder, TERM: 'xterm' };
    const PATH = `${folder}/bin:${process.env['PATH']}`;
    const child = spawn(program, args, { env: { ...environment(own), PATH }, cwd: folder, stdio: 'pipe' });
    const result = await finished(child);
    await t.throwsAsync(access(join(folder, 'evaluated')), { code: 'ENOENT' }, 'A shell evaluated a line.');
    return result;
  };
  return { publicId, folder, lines, run };
}

inBash(
  'bash completes commands, options, choices and names, evaluates no line, and can source the script again',
  async (t) => {
    const { publicId, lines, run } = await prepare(t);
    const script = `source <(runward completion bash); source <(runward completion bash)
complete -p runward
for COMP_LINE; do
  COMP_POINT=\${#COMP_LINE}; COMPREPLY=(); __runward_complete; printf '%s\\n' "\${COMPREPLY[*]}"
done`;
    const { stdout, stderr } = await run('bash', ['--norc', '-c', script, 'bash', ...lines]);
    t.is(stderr, '');
    t.deepEqual(stdout.split('\n'), [
      'complete -o default -F __runward_complete runward',
      'list',
      '--status',
      'OVERDUE',
      publicId,
      'Onboarding: employees',
      String.raw`Onboarding:\ employees`,
      'RUNNING',
      '',
      '',
    ]);
  },
);

inZsh('zsh completes commands, options, choices and names, and evaluates no line', async (t) => {
  const { publicId, folder, lines, run } = await prepare(t);
  // The line editor starts with this function.
  const zshrc = `autoload -Uz compinit && compinit -u -D
source <(runward completion zsh); source <(runward completion zsh)
complete-lines() {
  local line
  for line in "\${(@f)$(<lines)}"; do
    BUFFER=$line CURSOR=$#line
    zle complete-word
    print -r -- $BUFFER >>results
  done
  BUFFER=exit
  zle accept-line
}
zle -N zle-line-init complete-lines
`;
  await writeFile(join(folder, '.zshrc'), zshrc);
  await writeFile(join(folder, 'lines'), lines.join('\n'));
  const { stdout } = await run('script', ['-qefc', 'zsh -d -i', '/dev/null'], { ZDOTDIR: folder });
  const results = await readFile(join(folder, 'results'), 'utf8').catch(() => stdout);
  t.deepEqual(results.split('\n'), [
    'runward profiles list ',
    'runward runs list --status ',
    'runward runs list --status=OVERDUE ',
    `runward --timeout 30 runs get ${publicId} `,
    'runward --timeout 30 runs list --template "Onboarding: employees" ',
    String.raw`runward --timeout 30 runs list --template=Onboarding:\ employees `,
    `runward runs list --search $(touch ${folder}/evaluated) --status RUNNING `,
    lines.at(-1),
    '',
  ]);
});

inFish('fish completes commands, options, choices and names, and evaluates no line', async (t) => {
  const { publicId, lines, run } = await prepare(t);
  const script = `source (runward completion fish | psub); source (runward completion fish | psub)
for line in $argv; complete -C $line; end`;
  const { stdout, stderr } = await run('fish', ['--no-config', '-c', script, ...lines]);
  t.is(stderr, '');
  t.deepEqual(
    stdout.split('\n').map((line) => line.split('\t')[0]),
    [
      'list',
      '--status',
      '--status=OVERDUE',
      publicId,
      'Onboarding: employees',
      '--template=Onboarding: employees',
      'RUNNING',
      '',
    ],
  );
});
