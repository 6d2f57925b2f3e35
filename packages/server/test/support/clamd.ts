import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@runward/testing/ports';
import { until } from '@runward/testing/until';

/** Whether this machine has the virus scanner `clamd`. */
export const hasClamd = spawnSync('clamd', ['--version']).status === 0;

/** What every virus scanner recognizes, in two parts so that this file is not recognized. */
export const eicar = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('');

/** A clamd that knows one virus. */
export interface TestClamd extends AsyncDisposable {
  /** By TCP. */
  readonly url: string;
  /** By its Unix socket. */
  readonly socketUrl: string;
  /** Starts it, unless it is running. */
  start(): Promise<void>;
  /** Ends it at once. */
  kill(): Promise<void>;
  /** Suspends it: it accepts connections and does not respond. */
  suspend(): void;
  resume(): void;
}

/** Prepares a clamd on a free port; `start` starts it. Streams may have 2 MB. */
export async function prepareClamd(): Promise<TestClamd> {
  const folder = mkdtempSync(join(tmpdir(), 'runward-clamd-'));
  const port = await freePort();
  const socket = join(folder, 'socket');
  await writeFile(join(folder, 'test.ndb'), `Eicar-Test-Signature:0:*:${Buffer.from(eicar).toString('hex')}\n`);
  const settings = {
    Foreground: 'yes',
    DatabaseDirectory: folder,
    TCPSocket: port,
    TCPAddr: '127.0.0.1',
    LocalSocket: socket,
    StreamMaxLength: '2M',
    AlertExceedsMax: 'yes',
  };
  const config = join(folder, 'clamd.conf');
  await writeFile(
    config,
    Object.entries(settings)
      .map(([name, value]) => `${name} ${value}\n`)
      .join(''),
  );
  let daemon: ReturnType<typeof spawn> | null = null;
  const isRunning = () => daemon !== null && daemon.exitCode === null && daemon.signalCode === null;
  const kill = async () => {
    if (!daemon || !isRunning()) return;
    const ended = once(daemon, 'exit');
    daemon.kill('SIGKILL');
    await ended;
  };
  return {
    url: `tcp://127.0.0.1:${port}`,
    socketUrl: `unix://${socket}`,
    start: async () => {
      if (!isRunning()) daemon = spawn('clamd', ['-c', config], { stdio: 'ignore' });
      await until(() => responds(port), 'clamd');
    },
    kill,
    suspend: () => void daemon?.kill('SIGSTOP'),
    resume: () => void daemon?.kill('SIGCONT'),
    [Symbol.asyncDispose]: async () => {
      await kill();
      await rm(folder, { recursive: true });
    },
  };
}

async function responds(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
