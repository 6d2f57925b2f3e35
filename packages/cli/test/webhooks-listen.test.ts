import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { createReceiver, verify } from '@runward/webhooks';
import { encodeCursor } from '@runward/server/internal/paging';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { startReceiver } from '@runward/testing/receiver';
import { startCommand } from './support/command.ts';
import { useServer, type Workplace } from './support/service.ts';
import { hasTerminal, keys, openTerminal } from './support/terminal.ts';

const { app, newWorkplace } = useServer(test);
const onTerminal = hasTerminal ? test : test.skip;
const quickly = ['--interval', '0.1'];

/** Waits until something is so; fails after a minute, since commands start slowly on a busy machine. */
async function until(isSo: () => boolean, what: string): Promise<void> {
  for (const deadline = Date.now() + 60_000; !isSo(); await pause(20)) {
    if (Date.now() > deadline) throw new Error(`Waited a minute in vain for ${what}.`);
  }
}

/** Starts `webhooks listen` and waits until it follows. */
async function listen(t: ExecutionContext, { env }: Workplace, args: string[], more: Record<string, string> = {}) {
  const child = startCommand(['webhooks', 'listen', ...quickly, ...args], { env: { ...env, ...more } });
  t.teardown(() => child.kill('SIGKILL'));
  let [stdout, stderr] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const closed = new Promise<number | null>((resolve) => void child.on('close', resolve));
  await until(() => child.exitCode !== null || stderr.includes('Ctrl-C ends it'), 'listening');
  const records = () =>
    stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  const end = async () => {
    child.kill('SIGINT');
    const code = await closed;
    return { code, cursor: /--since (\S+)\n/.exec(stderr)?.[1] ?? '' };
  };
  return { records, end, closed, told: () => stderr };
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

test('events are forwarded as the service would deliver them, from now on, and a receiver takes them', async (t) => {
  const work = await newWorkplace();
  const { start, complete } = await newProcess(work);
  const old = await start();
  await using receiver = await startReceiver(() => 204);
  const listening = await listen(t, work, ['--forward-to', receiver.url]);
  const runId = await complete();
  await until(() => listening.records().length === 3, 'three lines');
  const { received } = receiver;

  const secret = /RUNWARD_SIGNING_SECRET=(\S{43})\n/.exec(listening.told())?.[1] ?? '';
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
  t.regex(listening.told(), /^Forwarded 3, failed 0\.$/m);
  const missed = await start();
  const again = await listen(t, work, ['--since', cursor]);
  await until(() => again.records().length === 1, 'the missed event');
  t.like(again.records()[0], { event: 'run.started', data: { runId: missed } });
  t.is('forwarded' in again.records()[0], false);
  await again.end();
});

test('with a secret of its own and some events only, from the oldest event on', async (t) => {
  const work = await newWorkplace();
  const { complete } = await newProcess(work);
  const runs = [await complete(), await complete()];
  await using receiver = await startReceiver();
  const args = ['--forward-to', receiver.url, '--events', 'run.completed', '--since', 'oldest', '-o', 'jsonl'];
  const child = startCommand(['webhooks', 'listen', ...quickly, ...args], {
    env: { ...work.env, RUNWARD_SIGNING_SECRET: 'mine' },
  });
  t.teardown(() => child.kill('SIGKILL'));
  let told = '';
  child.stderr?.on('data', (text) => (told += String(text)));
  const { received } = receiver;
  await until(() => received.length === 2, 'both events');
  const events = await Promise.all(received.map(({ body, headers }) => verify(body, headers, { secret: 'mine' })));
  t.deepEqual(
    events.map(({ event, data }) => `${event} ${String(data['runId'])}`),
    runs.map((id) => `run.completed ${id}`),
  );
  t.is(told, '');
});

test('what is not taken is sent again in its place, then counted as failed; Ctrl-C leaves it for the next time', async (t) => {
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
  t.regex(listening.told(), /run\.started \S+: the receiver answered 500\. Again in 0\.5 s\./);
  const { cursor } = await listening.end();
  t.regex(listening.told(), /^Forwarded 2, failed 0\.$/m);

  const again = await listen(t, work, ['--forward-to', receiver.url, '--since', cursor]);
  await until(() => again.records().length === 1, 'the failure');
  t.like(again.records()[0], {
    data: { runId: runs[2] },
    forwarded: false,
    statusCode: 302,
    error: 'redirects are not followed',
  });
  await again.end();
  t.regex(again.told(), /^Forwarded 0, failed 1\.$/m);
  t.true(receiver.received.every(({ url }) => url === '/hook'));
});

test('it waits out that the service is away', async (t) => {
  const work = await newWorkplace();
  const { start } = await newProcess(work);
  let isAway = false;
  const proxy = createServer((req, res) => {
    if (isAway) return void res.destroy();
    void fetch(app.baseUrl + (req.url ?? ''), { headers: { authorization: req.headers.authorization ?? '' } })
      .then(async (answer) =>
        res.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text()),
      )
      .catch(() => res.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  const RUNWARD_BASE_URL = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const listening = await listen(t, work, [], { RUNWARD_BASE_URL });
  isAway = true;
  await until(() => listening.told().includes('Trying on until it answers.'), 'the outage');
  const run = await start();
  isAway = false;
  await until(() => listening.records().length === 1, 'the event');
  t.like(listening.records()[0], { data: { runId: run } });
  t.regex(listening.told(), /^The service answers again\.$/m);
  t.is((await listening.end()).code, 130);
});

test('mistakes are told', async (t) => {
  const work = await newWorkplace();
  const refusal = async (code: number, ...args: string[]) => {
    const ended = await work.runward(['webhooks', 'listen', ...args]);
    t.is(ended.code, code, ended.stderr);
    return ended.stderr;
  };
  const old = encodeCursor([0, Date.now() - 32 * 86_400_000]);
  t.regex(
    await refusal(6, '--since', old),
    /is more than 30 days old[^]*Begin with --since oldest, or with --since now\./,
  );
  t.regex(await refusal(6, '--since', 'yesterday'), /Begin with --since oldest/);
  t.regex(await refusal(2, '--forward-to', 'localhost:3000'), /Give one like http:\/\/localhost:3000\/webhooks/);
  t.regex(await refusal(2, '--events', 'run.ended'), /There is no event run\.ended/);
  t.regex(await refusal(2, '-o', 'csv'), /use -o jsonl/);
});

onTerminal('on a terminal, every event is a line', async (t) => {
  const work = await newWorkplace();
  const { start } = await newProcess(work);
  await using receiver = await startReceiver();
  const args = ['webhooks', 'listen', ...quickly, '--forward-to', receiver.url];
  const terminal = openTerminal(t, args, { env: work.env });
  await terminal.answer('Ctrl-C ends it');
  const runId = await start();
  await terminal.answer(' ms', keys.ctrlC);
  const { code, screen } = await terminal.end();
  t.is(code, 130, screen);
  t.regex(screen, new RegExp(String.raw`^\S+Z {2}run\.started {9}${runId} {2}200 {2}\d+ ms\r?$`, 'm'));
  t.regex(screen, /Forwarded 1, failed 0\./);
});
