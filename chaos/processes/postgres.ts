import { execFile } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { startEmbeddedPostgres } from '@runward/server/internal/database/embedded/postgres';

const execute = promisify(execFile);

/** A durable PostgreSQL for injecting faults. Its address stays the same. */
export interface Postgres {
  url(database: string): string;
  /** The id of its main process, which changes with a restart. */
  pid(): number;
  /**
   * `fast` closes all connections and shuts down in order. `immediate` stops like a crash, with recovery at the next
   * start.
   */
  restart(mode: 'fast' | 'immediate'): Promise<void>;
  /** Suspends the server and all its backends for a time in milliseconds. */
  stall(ms: number): Promise<void>;
  stop(): Promise<void>;
}

/** Starts PostgreSQL in a folder. */
export async function startPostgres(folder: string): Promise<Postgres> {
  const start = () => startEmbeddedPostgres({ dataDir: folder });
  let server = await start();
  return {
    url: (database) => server.url(database),
    pid: () => server.pid,
    restart: async (mode) => {
      process.kill(server.pid, mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
      await server.exited;
      await server.stop();
      server = await start();
    },
    stall: async (ms) => {
      const { pid } = server;
      // The server first, so that it starts no further backends.
      process.kill(pid, 'SIGSTOP');
      const backends = await childrenOf(pid);
      try {
        for (const backend of backends) signal(backend, 'SIGSTOP');
        await pause(ms);
      } finally {
        for (const each of [...backends, pid]) signal(each, 'SIGCONT');
      }
    },
    stop: () => server.stop(),
  };
}

/** The ids of the processes that a process has started. */
export async function childrenOf(pid: number): Promise<number[]> {
  const { stdout } = await execute('ps', ['-A', '-o', 'pid=,ppid=']);
  const pairs = stdout.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
  return pairs.flatMap(([child, parent]) => (parent === pid && child !== undefined ? child : []));
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended since it was listed.
  }
}
