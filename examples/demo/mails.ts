import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '@runward/sdk';
import type { TestSmtp } from '@runward/testing/mail/smtp';
import type { Checks } from './checks.ts';
import type { Progress } from './progress.ts';
import type { SecondMember } from './second-member.ts';
import type { FinishedRun } from './summary.ts';

const maxWaitMs = 30_000;

/**
 * Assigns the next open task of each active run to the second member, who also approves, and mentions the member in a
 * comment. Returns the ids of the tasks in their runs.
 */
export async function giveWork(
  runward: Client,
  runs: readonly FinishedRun[],
  { userId, name }: SecondMember,
): Promise<string[]> {
  const active = runs.filter(({ status }) => status === 'RUNNING' || status === 'OVERDUE');
  const open = active.flatMap(({ tasks }) => tasks.find(({ status }) => status === 'PENDING') ?? []);
  for (const { runTaskId } of open) await runward.runs.tasks.setAssignee(runTaskId, { assigneeId: userId });
  const [first] = open;
  if (first) {
    const mentions = { userIds: [userId] };
    await runward.runs.tasks.comment(first.runTaskId, { text: `@${name}: could you do this first?`, mentions });
  }
  return open.map(({ runTaskId }) => runTaskId);
}

/**
 * Waits until every task is in a mail to the member. Shows the subjects of these mails, and writes all mails to a file.
 */
export async function awaitMails(
  { mails }: Pick<TestSmtp, 'mails'>,
  { email }: SecondMember,
  runTaskIds: readonly string[],
  { checks, progress, dataDir }: { checks: Checks; progress: Progress; dataDir: string },
): Promise<void> {
  const own = () => mails.filter(({ to }) => to === email);
  const missing = () => runTaskIds.filter((id) => !own().some(({ text }) => text.includes(id)));
  for (const deadline = Date.now() + maxWaitMs; missing().length > 0 && Date.now() < deadline;) {
    progress.update(`waiting for mails: ${own().length} arrived`);
    await pause(200);
  }
  checks.expect(missing().length === 0, `No mail to ${email} names the tasks ${missing().join(', ')}.`);
  const file = join(dataDir, 'mails.txt');
  await writeFile(
    file,
    mails.map(({ to, headers, text }) => `To: ${to}\nSubject: ${headers.get('subject')}\n\n${text}`).join('\n\n'),
  );
  for (const { to, headers } of own())
    progress.log(`Mail to ${to}: "${headers.get('subject')}"; all of it is in ${file}`);
}
