import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** A throw-away server. */
export interface Server {
  /** The variables by which tests find it. */
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** Starts a server, runs a command with its variables, stops it, and exits as the command did. */
export async function runBeside(
  start: () => Promise<Server | null>,
  [command = '', ...args]: readonly string[],
): Promise<void> {
  if (!command) {
    console.error('Add the command to run.');
    process.exit(2);
  }
  const server = await start();
  const child = spawn(command, args, { stdio: 'inherit', env: { ...process.env, ...server?.env } });
  // The command gets an interruption of the terminal as well; the server must outlive it.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  const [code] = await once(child, 'exit');
  await server?.stop();
  process.exitCode = typeof code === 'number' ? code : 1;
}

/** For a server that tests can do without: says why it cannot be started. */
export function skipping(name: string): (error: unknown) => null {
  return (error) => {
    const [reason] = (error instanceof Error ? error.message : String(error)).split('\n');
    console.error(`${name} could not be started, and its tests are skipped: ${reason}`);
    return null;
  };
}
