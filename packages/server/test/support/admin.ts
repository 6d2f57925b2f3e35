import { startCommand, startProgram, type Program } from '@runward/testing/program';

/** How a command ended. */
export interface CommandEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The administration command as a process of its own, with only this environment. */
export function adminIn(env: Record<string, string>) {
  const endOf = async (program: Program): Promise<CommandEnd> => {
    const code = await program.ended;
    return { code, stdout: program.stdout(), stderr: program.stderr() };
  };
  const run = (args: readonly string[], input = '') =>
    endOf(startProgram('packages/server/src/admin/main.ts', args, { env, input }));
  return {
    run,
    /** As operators start it. */
    npmRun: (args: readonly string[]) =>
      endOf(startCommand('npm', ['run', '--silent', 'admin', '--', ...args], { env })),
    /** What a command that must succeed prints with --json. */
    json: async (args: readonly string[], input = ''): Promise<Record<string, string>> => {
      const { code, stdout, stderr } = await run([...args, '--json'], input);
      if (code !== 0) throw new Error(`admin ${args.join(' ')} ended with ${code}: ${stderr}`);
      return JSON.parse(stdout) as Record<string, string>;
    },
  };
}
