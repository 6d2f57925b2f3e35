/**
 * The mail server of the service, in a process that no fault affects: `node mail-server.ts LOG SEED`. It logs every
 * mail to LOG before it answers, as one JSON object per line (`Reception`). Some answers are 4xx, some are slow, and
 * some connections are dropped after all of the mail has arrived. Mails to addresses that begin with `bounce` are
 * rejected. The parent process may have it hold its answers to a worker; it then sends the name of the worker once it
 * holds one.
 */
import { EventEmitter, once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { startSmtp, type SmtpReply } from '@runward/testing/mail/smtp';
import { createRandom } from '@runward/testing/random';
import type { Reception } from '../history/mail-history.ts';

/** A message of the parent process: the worker that gets no answers for now; null for none. */
export interface MailServerCommand {
  readonly hold: string | null;
}

const [logFile = '', seed = ''] = process.argv.slice(2);
const random = createRandom(Number(seed), 'mail server');
const released = new EventEmitter();
let held: string | null = null;

process.on('message', ({ hold }: MailServerCommand) => {
  held = hold;
  if (hold === null) released.emit('released');
});
process.on('disconnect', () => process.exit(0));

const server = await startSmtp({
  reply: async (_count, to, { client, headers }) => {
    const arrivedAt = Date.now();
    const worker = client.replace('-', ' ');
    const answer = answerTo(to);
    await pause(random.next() < 0.1 ? random.between(500, 3_000) : random.between(0, 20));
    const isHeld = held === worker;
    if (isHeld) {
      process.send?.(worker);
      await once(released, 'released');
    }
    const reply = isHeld && answer !== 550 ? 250 : answer;
    const messageId = headers.get('message-id') ?? '';
    const line: Reception = { arrivedAt, respondedAt: Date.now(), messageId, to, worker, reply };
    appendFileSync(logFile, `${JSON.stringify(line)}\n`);
    return reply;
  },
});
process.send?.(server.url);

function answerTo(to: string): SmtpReply {
  if (to.startsWith('bounce')) return 550;
  const chance = random.next();
  if (chance < 0.15) return 451;
  return chance < 0.25 ? 'drop' : 250;
}
