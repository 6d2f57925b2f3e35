import { randomUUID } from 'node:crypto';
import { startProgram } from '@runward/testing/program';
import { startReceiver } from '@runward/testing/receiver';
import { sign } from '@runward/webhooks';
import test from 'ava';

const secret = 'whsec_of_the_test_organization';

const bodyOf = (event: string) =>
  JSON.stringify({
    event,
    deliveryId: randomUUID(),
    timestamp: new Date().toISOString(),
    orgId: randomUUID(),
    data: {
      taskTitle: 'Collect <documents> & sign',
      runTitle: 'Onboarding',
      assignee: { name: 'Ada' },
      assigneeGroup: null,
    },
  });

test('examples/chat tells a chat who has a new task, and nothing of other events', async (t) => {
  let works = false;
  await using chat = await startReceiver(() => (works ? 200 : 503));
  const env = { RUNWARD_SIGNING_SECRET: secret, CHAT_WEBHOOK_URL: chat.url, PORT: '0' };
  const program = startProgram('examples/chat/main.ts', [], { env });
  t.teardown(() => program.end('SIGTERM'));
  const [url = ''] = /http:\S+/.exec(await program.printed(/listening for webhooks at http:\S+/)) ?? [];
  const deliver = async (body: string) =>
    (await fetch(url, { method: 'POST', body, headers: await sign(body, { secret }) })).status;

  const body = bodyOf('task.assigned');
  t.is(await deliver(body), 500, 'the service delivers it again, because the chat did not accept it');
  works = true;
  t.is(await deliver(body), 200);
  t.is(await deliver(bodyOf('task.unassigned')), 200);
  t.is(chat.received.length, 2);
  t.deepEqual(JSON.parse(chat.received[1]?.body ?? ''), {
    text: 'Ada has a new task: Collect &lt;documents&gt; &amp; sign (Onboarding)',
  });
});
