import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startChild, type Child } from '@runward/testing/child';
import type { ReceiverMessage } from '../receiver/main.ts';

/** What the receiver reported. */
export interface ReceiverReport {
  /** The run of each delivery it verified, by delivery id. */
  readonly verified: ReadonlyMap<string, string>;
  readonly duplicates: number;
  /** Why it rejected deliveries, one reason each. */
  readonly rejected: readonly string[];
}

/** The receiver, ready for deliveries. */
export interface ReceiverProcess {
  readonly url: string;
  /** Grows as deliveries arrive. */
  readonly report: ReceiverReport;
}

/** Starts `examples/receiver` in a separate process, on a free port, and collects its reports. */
export async function startReceiver(
  dataDir: string,
  signingSecret: string,
  onStart: (child: Child, logFile: string) => void,
): Promise<ReceiverProcess> {
  const logFile = join(dataDir, 'receiver.log');
  await rm(logFile, { force: true });
  const env = { ...process.env, RUNWARD_SIGNING_SECRET: signingSecret, PORT: '0' };
  const child = startChild('examples/receiver/main.ts', { env, logFile });
  onStart(child, logFile);

  const verified = new Map<string, string>();
  const rejected: string[] = [];
  const report = { verified, rejected, duplicates: 0 };
  const listening = new Promise<string>((resolve) => {
    child.process.on('message', (message: ReceiverMessage) => {
      if (message.type === 'listening') resolve(message.url);
      if (message.type === 'verified') verified.set(message.deliveryId, message.runId);
      if (message.type === 'rejected') rejected.push(message.reason);
      if (message.type === 'duplicate') report.duplicates += 1;
    });
  });
  const ended = child.ended.then((end) => {
    throw new Error(`The receiver ended (${end}) before it listened. Its log is ${logFile}.`);
  });
  return { url: await Promise.race([listening, ended]), report };
}
