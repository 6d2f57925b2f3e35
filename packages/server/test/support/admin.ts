import { Readable, Writable } from 'node:stream';
import { startCommand, startProgram, type Program } from '@runward/testing/program';
import { run } from '../../src/admin/run.ts';

/** How a command ended. */
export interface CommandEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command line; `input` is its standard input. */
type Runner = (args: readonly string[], input?: string) => Promise<CommandEnd>;

/** The administration command with only this environment: in this process, or as a process of its own. */
export function adminIn(env: Record<string, string>) {
  const inProcess: Runner = async (args, input = '') => {
    const [stdout, stderr] = [collect(), collect()];
    const code = await run(args, { env, stdin: Readable.from([input]), stdout: stdout.stream, stderr: stderr.stream });
    return { code, stdout: stdout.text(), stderr: stderr.text() };
  };
  const spawned: Runner = (args, input = '') =>
    endOf(startProgram('packages/server/src/admin/main.ts', args, { env, input }));
  return {
    run: inProcess,
    json: jsonOf(inProcess),
    spawned: { run: spawned, json: jsonOf(spawned) },
    /** As operators start it. */
    npmRun: (args: readonly string[]) =>
      endOf(startCommand('npm', ['run', '--silent', 'admin', '--', ...args], { env })),
  };
}

/** What a command that must succeed prints with --json. */
function jsonOf(runner: Runner) {
  return async (args: readonly string[], input = ''): Promise<Record<string, string>> => {
    const { code, stdout, stderr } = await runner([...args, '--json'], input);
    if (code !== 0) throw new Error(`admin ${args.join(' ')} ended with ${code}: ${stderr}`);
    return JSON.parse(stdout) as Record<string, string>;
  };
}

async function endOf(program: Program): Promise<CommandEnd> {
  const code = await program.ended;
  return { code, stdout: program.stdout(), stderr: program.stderr() };
}

function collect() {
  let text = '';
  const stream = new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      text += String(chunk);
      done();
    },
  });
  return { stream, text: () => text };
}
