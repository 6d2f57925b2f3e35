import { randomUUID } from 'node:crypto';
import test from 'ava';
import { nextLines } from '../../../src/audit-log/queries/list-lines.ts';
import { verifyLines } from '../../../src/audit-log/verify-lines.ts';
import { inTransaction } from '../../../src/database/transaction.ts';
import { recordAttempts, type AttemptResult } from '../../../src/webhooks/queries/record-attempts.ts';
import { useOutbox } from '../../support/outbox.ts';

const outbox = useOutbox(test);

const url = 'https://receiver.example.com';
const inOneMinute = () => new Date(Date.now() + 60_000);
const sixDaysAgo = () => new Date(Date.now() - 6 * 86_400_000);

/** A failed attempt of a delivery to a new webhook that is leased. */
async function failed({ gone = false, failingSince = null as Date | null } = {}): Promise<AttemptResult> {
  const settings = { name: `Gone: ${gone}`, failingSince, leaseToken: randomUUID(), leasedUntil: inOneMinute() };
  return failedAgain(await outbox.webhook(url, settings), gone);
}

async function failedAgain(webhookId: string, gone = false): Promise<AttemptResult> {
  const { leaseToken } = await outbox.readWebhook(webhookId);
  const [id = ''] = await outbox.events(webhookId, 1);
  const { nextAttemptAt } = await outbox.delivery(id);
  if (!leaseToken || !nextAttemptAt) throw new Error('The webhook is not leased, or nothing is due.');
  const statusCode = gone ? 410 : 500;
  const at = new Date().toISOString();
  const attempt = { at, statusCode, error: null, durationMs: 1, responseBody: '' };
  const { organizationId } = outbox;
  const lease = { organizationId, webhookId, leaseToken };
  return { ...lease, id, url, dueAt: nextAttemptAt.toISOString(), attempt, status: 'FAILED', delay: null, gone };
}

const lines = () => nextLines(outbox.database.em.fork(), outbox.organizationId, 0);

test.serial('webhooks that are disabled in one batch have a line each, by SYSTEM, in an unbroken chain', async (t) => {
  const results = [await failed({ gone: true }), await failed({ failingSince: sixDaysAgo() }), await failed()];
  const before = (await lines()).length;
  const disabled = await recordAttempts(outbox.database, results, []);
  const added = (await lines()).slice(before);
  t.is(disabled.length, 2);
  const ids = results.slice(0, 2).map(({ webhookId }) => webhookId);
  t.deepEqual(added.map(({ targetId }) => targetId).sort(), ids.toSorted());
  for (const line of added) {
    const { reason, name } = disabled.find(({ id }) => id === line.targetId) ?? {};
    t.like(line, {
      action: 'webhook.disabled',
      actorType: 'SYSTEM',
      actorUserId: null,
      actorApiKeyId: null,
      address: null,
      targetType: 'WEBHOOK',
      targetLabel: name ?? '',
      before: { enabled: true },
      after: { enabled: false, disabledReason: reason },
    });
  }
  const log = await inTransaction(outbox.database, (em) => verifyLines(em, outbox.organizationId));
  t.like(log, { problem: null, verified: before + 2 });
});

test.serial('further failures of a webhook that is disabled already leave no line', async (t) => {
  const first = await failed({ gone: true });
  await recordAttempts(outbox.database, [first], []);
  const before = (await lines()).length;
  t.deepEqual(await recordAttempts(outbox.database, [await failedAgain(first.webhookId, true)], []), []);
  t.is((await lines()).length, before);
});

test.serial('a webhook whose line cannot be written is not disabled, and its delivery stays due', async (t) => {
  const result = await failed({ gone: true });
  const change = (by: number) => outbox.database.em.fork().execute('update audit_heads set count = count + ?', [by]);
  await change(-1);
  try {
    await t.throwsAsync(recordAttempts(outbox.database, [result], []), { message: /audit_lines/ });
  } finally {
    await change(1);
  }
  t.like(await outbox.readWebhook(result.webhookId), { enabled: true, disabledReason: null, failingSince: null });
  t.like(await outbox.delivery(result.id), { status: 'PENDING', attempts: [] });
});
