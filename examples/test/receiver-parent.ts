/** Starts the receiver with an IPC channel and prints its URL. */
import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { ReceiverMessage } from '../receiver/main.ts';

const receiver = fork(join(import.meta.dirname, '..', 'receiver', 'main.ts'), { stdio: 'ignore' });
receiver.on('message', (message: ReceiverMessage) => {
  if (message.type === 'listening') console.log(message.url);
});
