import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { freePort } from '@runward/testing/ports';

/** Whether this machine has the program `redis-server`. */
export const hasRedis = spawnSync('redis-server', ['--version']).status === 0;

/** A Redis that a test starts and kills as it likes; it forgets everything when it ends. */
export interface TestRedis extends AsyncDisposable {
  readonly url: string;
  start(): void;
  /** Ends it at once, as a crash would. */
  kill(): Promise<void>;
  /** Makes it keep its connections and answer nothing. */
  freeze(): void;
  thaw(): void;
}

/** Starts one on a free port of this machine. */
export async function startRedis(): Promise<TestRedis> {
  const port = await freePort();
  const args = ['--bind', '127.0.0.1', '--port', String(port), '--save', '', '--appendonly', 'no', '--dir', tmpdir()];
  const start = () => spawn('redis-server', args, { stdio: 'ignore' });
  let server = start();
  const kill = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
  };
  return {
    url: `redis://127.0.0.1:${port}`,
    start: () => {
      server = start();
    },
    kill,
    freeze: () => void server.kill('SIGSTOP'),
    thaw: () => void server.kill('SIGCONT'),
    [Symbol.asyncDispose]: kill,
  };
}
