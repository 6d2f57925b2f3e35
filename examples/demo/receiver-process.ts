import { join } from 'node:path';
import type { ReceiverMessage } from '../receiver/main.ts';
import { type Child, repository, startChild } from './child.ts';

/** What the receiver said it got. */
export interface Heard {
  /** The run of each delivery it verified, by delivery id. */
  readonly verified: ReadonlyMap<string, string>;
  readonly duplicates: number;
  /** Why it refused others. */
  readonly refused: readonly string[];
}

/** The receiver, waiting for deliveries. */
export interface ReceiverProcess {
  readonly url: string;
  /** Grows as deliveries come in. */
  readonly heard: Heard;
}

/** Starts `examples/receiver` as another process, on a free port, and keeps count of what it reports. */
export async function startReceiver(
  dataDir: string,
  signingSecret: string,
  onStart: (child: Child) => void,
): Promise<ReceiverProcess> {
  const logFile = join(dataDir, 'receiver.log');
  const env = { RUNWARD_SIGNING_SECRET: signingSecret, PORT: '0' };
  const child = startChild('examples/receiver/main.ts', { cwd: repository, env, logFile, ipc: true });
  onStart(child);

  const verified = new Map<string, string>();
  const refused: string[] = [];
  const heard = { verified, refused, duplicates: 0 };
  const listening = new Promise<string>((resolve) => {
    child.process.on('message', (message: ReceiverMessage) => {
      if (message.type === 'listening') resolve(message.url);
      if (message.type === 'verified') verified.set(message.deliveryId, message.runId);
      if (message.type === 'refused') refused.push(message.reason);
      if (message.type === 'duplicate') heard.duplicates += 1;
    });
  });
  const url = await Promise.race([listening, child.ended]);
  if (typeof url === 'number' || !url.startsWith('http')) {
    throw new Error(`The receiver ended (${url}) before it listened. Its log is ${logFile}.`);
  }
  return { url, heard };
}
