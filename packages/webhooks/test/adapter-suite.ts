import test, { type ExecutionContext } from 'ava';
import { createReceiver, type Receiver } from '../src/index.ts';
import { payload, post, secret } from './support.ts';

/** Tests an adapter over a real server. `start` serves the receiver and returns its address. */
export function adapterSuite(name: string, start: (t: ExecutionContext, receiver: Receiver) => Promise<string>): void {
  test(`${name}: a delivery is handled once, and its duplicate gets 200`, async (t) => {
    const runIds: string[] = [];
    const receiver = createReceiver({ secret }).on('run.completed', ({ data }) => void runIds.push(data.runId));
    const url = await start(t, receiver);
    const body = payload({ data: { runId: 'Prüfung № 7 ✓', templateId: 'x' } });

    const first = await post(url, body);
    const second = await post(url, body);

    t.deepEqual([first.status, first.json], [200, { result: 'handled' }]);
    t.regex(first.contentType ?? '', /^application\/json/);
    t.deepEqual([second.status, second.json], [200, { result: 'duplicate' }]);
    t.deepEqual(runIds, ['Prüfung № 7 ✓']);
  });

  test(`${name}: a body with unusual white space and a charset parameter is verified unchanged`, async (t) => {
    const url = await start(t, createReceiver({ secret }));
    const spaced = ` ${payload().replaceAll('":', '" :\t')}\r\n`;
    t.is((await post(url, spaced, { 'content-type': 'application/json; charset=utf-8' })).status, 200);
  });

  test(`${name}: a forged delivery gets 401, and a signed body that is not a payload gets 400`, async (t) => {
    const url = await start(
      t,
      createReceiver({ secret }).onAny(() => t.fail('no handler may run')),
    );
    const forged = await post(url, payload(), { 'x-flow-signature': 'a'.repeat(64) });
    const invalid = await post(url, Uint8Array.of(0xff, 0xfe));

    t.deepEqual([forged.status, forged.json.error], [401, 'signature_mismatch']);
    t.deepEqual([invalid.status, invalid.json.error], [400, 'invalid_payload']);
  });

  test(`${name}: a request without headers and body gets 401`, async (t) => {
    const url = await start(t, createReceiver({ secret }));
    const response = await fetch(url, { method: 'POST' });
    t.is(response.status, 401);
    t.like(await response.json(), { error: 'missing_header' });
  });

  test(`${name}: a GET gets 405 with the method to use`, async (t) => {
    const url = await start(t, createReceiver({ secret }));
    for (const method of ['GET', 'HEAD']) {
      const response = await fetch(url, { method });
      t.deepEqual([response.status, response.headers.get('allow')], [405, 'POST'], method);
      if (method === 'GET') t.like(await response.json(), { error: 'method_not_allowed' });
    }
  });

  test(`${name}: a body of 1 MB is accepted, and a larger one gets 413`, async (t) => {
    const url = await start(t, createReceiver({ secret }));
    const limit = payload({ data: { filler: 'x'.repeat(2 ** 20) } }).length - 2 ** 20;
    const exact = payload({ data: { filler: 'x'.repeat(2 ** 20 - limit) } });
    t.is(exact.length, 2 ** 20);

    t.is((await post(url, exact)).status, 200);
    for (const size of [2 ** 20 + 1, 3 * 2 ** 20]) {
      const { status, json } = await post(url, exact.padEnd(size));
      t.deepEqual([status, json.error], [413, 'body_too_large'], `${size} bytes`);
    }
    t.is((await post(url, payload())).status, 200);
  });

  test(`${name}: an oversized body without Content-Length gets 413`, async (t) => {
    const url = await start(t, createReceiver({ secret }));
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let i = 0; i < 40; i += 1) controller.enqueue(new Uint8Array(2 ** 15));
        controller.close();
      },
    });
    const response = await fetch(url, { method: 'POST', body: stream, duplex: 'half' });
    t.is(response.status, 413);
    t.like(await response.json(), { error: 'body_too_large' });
  });

  test(`${name}: a delivery whose handler fails gets 500, and is handled on the next attempt`, async (t) => {
    let runs = 0;
    const receiver = createReceiver({ secret, onError: () => {} }).on('run.completed', () => {
      runs += 1;
      if (runs === 1) throw new Error('private detail');
    });
    const url = await start(t, receiver);
    const body = payload();

    const first = await post(url, body);
    t.deepEqual([first.status, first.json.error], [500, 'handler_failed']);
    t.notRegex(JSON.stringify(first.json), /private detail/);
    t.deepEqual((await post(url, body)).json, { result: 'handled' });
    t.is(runs, 2);
  });
}
