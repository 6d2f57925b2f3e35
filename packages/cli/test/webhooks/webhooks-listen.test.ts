import { createServer } from 'node:http';
import { encodeCursor } from '@runward/server/internal/paging';
import { closeServer, listenOnLoopback } from '@runward/testing/http-server';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { startReceiver } from '@runward/testing/receiver';
import { until } from '@runward/testing/until';
import { createReceiver, verify } from '@runward/webhooks';
import test, { type ExecutionContext } from 'ava';
import { startCommand } from '../support/command.ts';
import { useServer, type Workplace } from '../support/service.ts';
import { keys, onTerminal, openTerminal } from '../support/terminal.ts';

const { app, newWorkplace } = useServer(test);
const pollFast = ['--interval', '0.1'];

/** Starts `webhooks listen` and waits until it follows the feed. */
async function listen(t: ExecutionContext, { env }: Workplace, args: string[], more: Record<string, string> = {}) {
  const command = startCommand(['webhooks', 'listen', ...pollFast, ...args], { env: { ...env, ...more } });
  t.teardown(command.interrupt);
  let hasEnded = false;
  void command.finished.then(() => (hasEnded = true));
  await until(() => hasEnded || command.stderr().includes('Press Ctrl-C to stop'), 'listening');
  const records = () =>
    command
      .stdout()
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  const end = async () => {
    command.interrupt();
    const { code, stderr } = await command.finished;
    return { code, cursor: /--since (\S+)\n/.exec(stderr)?.[1] ?? '' };
  };
  return { records, end, messages: command.stderr };
}

async function newProcess({ org }: Workplace) {
  const { templateId } = await publishProcess(org.api, [{ title: 'A' }]);
  const start = async () => (await launchRun(org.api, templateId)).id;
  const complete = async () => {
    const run = await launchRun(org.api, templateId);
    const params = { taskId: run.byTitle('A').runTaskId };
    await must(org.api.call('runs.tasks', 'setStatus', { params, body: { status: 'COMPLETED' } }));
    return run.id;
  };
  return { start, complete };
}

test('new events are forwarded as the service would deliver them, and --since continues after an interruption', async (t) => {
  const work = await newWorkplace();
  const { start, complete } = await newProcess(work);
  const old = await start();
  await using receiver = await startReceiver(() => 204);
  const listening = await listen(t, work, ['--forward-to', receiver.url]);
  const runId = await complete();
  await until(() => listening.records().length === 3, 'three lines');
  const { received } = receiver;

  const secret = /RUNWARD_SIGNING_SECRET=(\S{43})\n/.exec(listening.messages())?.[1] ?? '';
  const handled: string[] = [];
  const own = createReceiver({ secret }).onAny(
    ({ event, data }) => void handled.push(`${event} ${String(data['runId'])}`),
  );
  for (const { body: rawBody, headers } of received) t.like(await own.handle({ rawBody, headers }), { status: 200 });
  t.deepEqual(
    handled,
    ['run.started', 'task.completed', 'run.completed'].map((event) => `${event} ${runId}`),
  );
  const { data } = await must(work.org.api.call('events', 'list', {}));
  t.is(received[0]?.body, JSON.stringify(data.find((event) => event.data.runId === runId)));
  t.false(JSON.stringify(received).includes(old));
  const [first] = received;
  t.is(first?.headers['content-type'], 'application/json');
  t.is(first?.headers['webhook-id'], JSON.parse(first?.body ?? '').deliveryId);
  t.regex(String(first?.headers['webhook-signature']), /^v1,/);
  t.like(listening.records()[0], { event: 'run.started', data: { runId }, forwarded: true, statusCode: 204 });

  const { code, cursor } = await listening.end();
  t.is(code, 130);
  t.regex(listening.messages(), /^Forwarded 3, failed 0\.$/m);
  const missed = await start();
  const again = await listen(t, work, ['--since', cursor]);
  await until(() => again.records().length === 1, 'the missed event');
  t.like(again.records()[0], { event: 'run.started', data: { runId: missed } });
  t.is('forwarded' in again.records()[0], false);
  await again.end();
});

test('--since oldest forwards the selected events from the start, signed with the given secret', async (t) => {
  const work = await newWorkplace();
  const { complete } = await newProcess(work);
  const runs = [await complete(), await complete()];
  await using receiver = await startReceiver();
  const args = ['--forward-to', receiver.url, '--event', 'run.completed', '--since', 'oldest', '-o', 'jsonl'];
  const env = { ...work.env, RUNWARD_SIGNING_SECRET: 'mine' };
  const command = startCommand(['webhooks', 'listen', ...pollFast, ...args], { env });
  t.teardown(command.interrupt);
  const { received } = receiver;
  await until(() => received.length === 2, 'both events');
  const events = await Promise.all(received.map(({ body, headers }) => verify(body, headers, { secret: 'mine' })));
  t.deepEqual(
    events.map(({ event, data }) => `${event} ${String(data['runId'])}`),
    runs.map((id) => `run.completed ${id}`),
  );
  t.is(command.stderr(), '');
});

test('a rejected event is retried in order, then counts as failed; after Ctrl-C the next listen continues with it', async (t) => {
  const work = await newWorkplace();
  const { start } = await newProcess(work);
  const runs = [await start(), await start(), await start()];
  const runOf = (body: string) => String(JSON.parse(body).data.runId);
  await using receiver = await startReceiver((count, { body }) => {
    if (runOf(body) === runs[0]) return count < 3 ? 500 : 200;
    if (runOf(body) === runs[1]) return 200;
    return (response) => response.writeHead(302, { location: '/elsewhere' }).end();
  });
  const listening = await listen(t, work, ['--forward-to', receiver.url, '--since', 'oldest']);
  const { received } = receiver;
  await until(() => received.length === 5, 'the first attempt of the third');
  t.deepEqual(
    received.slice(0, 5).map(({ body }) => runs.indexOf(runOf(body))),
    [0, 0, 0, 1, 2],
  );
  t.regex(listening.messages(), /run\.started \S+: the receiver responded with 500\. Retrying in 0\.5 s\./);
  const { cursor } = await listening.end();
  t.regex(listening.messages(), /^Forwarded 2, failed 0\.$/m);

  const again = await listen(t, work, ['--forward-to', receiver.url, '--since', cursor]);
  await until(() => again.records().length === 1, 'the failure');
  t.like(again.records()[0], {
    data: { runId: runs[2] },
    forwarded: false,
    statusCode: 302,
    error: 'redirects are not followed',
  });
  await again.end();
  t.regex(again.messages(), /^Forwarded 0, failed 1\.$/m);
  t.true(receiver.received.every(({ url }) => url === '/hook'));
});

test('while the service is unavailable, listen retries', async (t) => {
  const work = await newWorkplace();
  const { start } = await newProcess(work);
  let isUnavailable = false;
  const proxy = createServer((req, res) => {
    if (isUnavailable) return void res.destroy();
    void fetch(app.baseUrl + (req.url ?? ''), { headers: { authorization: req.headers.authorization ?? '' } })
      .then(async (response) =>
        res.writeHead(response.status, { 'content-type': 'application/json' }).end(await response.text()),
      )
      .catch(() => res.destroy());
  });
  const port = await listenOnLoopback(proxy);
  t.teardown(() => closeServer(proxy));
  const RUNWARD_BASE_URL = `http://127.0.0.1:${port}`;
  const listening = await listen(t, work, [], { RUNWARD_BASE_URL });
  isUnavailable = true;
  await until(() => listening.messages().includes('Retrying until the service is available.'), 'the outage');
  const run = await start();
  isUnavailable = false;
  await until(() => listening.records().length === 1, 'the event');
  t.like(listening.records()[0], { data: { runId: run } });
  t.regex(listening.messages(), /^The service is available again\.$/m);
  t.is((await listening.end()).code, 130);
});

test('an invalid position, URL, event or format is rejected', async (t) => {
  const work = await newWorkplace();
  const errorOf = async (code: number, ...args: string[]) => {
    const ended = await work.runward(['webhooks', 'listen', ...args]);
    t.is(ended.code, code, ended.stderr);
    return ended.stderr;
  };
  const old = encodeCursor([0, Date.now() - 32 * 86_400_000]);
  t.regex(await errorOf(6, '--since', old), /is more than 30 days old[^]*Use --since oldest or --since now\./);
  t.regex(await errorOf(6, '--since', 'yesterday'), /Use --since oldest/);
  t.regex(await errorOf(2, '--forward-to', 'localhost:3000'), /use one like http:\/\/localhost:3000\/webhooks/);
  t.regex(await errorOf(2, '--event', 'run.ended'), /Unknown event run\.ended/);
  t.regex(await errorOf(2, '-o', 'csv'), /use -o jsonl/);
});

onTerminal('listen on a terminal prints a line for each event', async (t) => {
  const work = await newWorkplace();
  const { start } = await newProcess(work);
  await using receiver = await startReceiver();
  const args = ['webhooks', 'listen', ...pollFast, '--forward-to', receiver.url];
  const terminal = openTerminal(t, args, { env: work.env });
  await terminal.type('Press Ctrl-C to stop');
  const runId = await start();
  await terminal.type(' ms', keys.ctrlC);
  const { code, screen } = await terminal.end();
  t.is(code, 130, screen);
  t.regex(
    screen,
    new RegExp(String.raw`^\d{4}-\d\d-\d\d \d\d:\d\d {2}run\.started {9}${runId} {2}200 {2}\d+ ms\r?$`, 'm'),
  );
  t.regex(screen, /Forwarded 1, failed 0\./);
});
