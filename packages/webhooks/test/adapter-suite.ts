import test, { type ExecutionContext } from 'ava';
import { createReceiver, type Receiver } from '../src/index.ts';
import { payload, post, secret } from './support.ts';

/** What every adapter must do, over a real server. `start` serves the receiver and answers its address. */
export function adapterSuite(name: string, start: (t: ExecutionContext, receiver: Receiver) => Promise<string>): void {
  test(`${name}: handles a delivery once and answers 200 to its duplicate`, async (t) => {
    const titles: string[] = [];
    const receiver = createReceiver({ secret }).on('run.completed', ({ data }) => void titles.push(data.runId));
    const url = await start(t, receiver);
    const body = payload({ data: { runId: 'Prüfung № 7 ✓', templateId: 'x' } });

    const first = await post(url, body);
    const second = await post(url, body);

    t.deepEqual([first.status, first.answer], [200, { result: 'handled' }]);
    t.regex(first.contentType ?? '', /^application\/json/);
    t.deepEqual([second.status, second.answer], [200, { result: 'duplicate' }]);
    t.deepEqual(titles, ['Prüfung № 7 ✓']);
  });

  test(`${name}: takes the body byte for byte, whatever its white space and charset parameter`, async (t) => {
    const url = await start(t, createReceiver({ secret }));
    const spaced = ` ${payload().replaceAll('":', '" :\t')}\r\n`;
    t.is((await post(url, spaced, { 'content-type': 'application/json; charset=utf-8' })).status, 200);
  });

  test(`${name}: answers 401 to a forged delivery and 400 to a signed one that is no payload`, async (t) => {
    const url = await start(
      t,
      createReceiver({ secret }).onAny(() => t.fail('must not run')),
    );
    const forged = await post(url, payload(), { 'x-flow-signature': 'a'.repeat(64) });
    const invalid = await post(url, Uint8Array.of(0xff, 0xfe));

    t.deepEqual([forged.status, forged.answer.error], [401, 'signature_mismatch']);
    t.deepEqual([invalid.status, invalid.answer.error], [400, 'invalid_payload']);
  });

  test(`${name}: answers 401 to a request without headers and body`, async (t) => {
    const url = await start(t, createReceiver({ secret }));
    const response = await fetch(url, { method: 'POST' });
    t.is(response.status, 401);
    t.like(await response.json(), { error: 'missing_header' });
  });

  test(`${name}: takes 1 MB, answers 413 beyond it, and goes on serving`, async (t) => {
    const url = await start(t, createReceiver({ secret }));
    const limit = payload({ data: { filler: 'x'.repeat(2 ** 20) } }).length - 2 ** 20;
    const exact = payload({ data: { filler: 'x'.repeat(2 ** 20 - limit) } });
    t.is(exact.length, 2 ** 20);

    t.is((await post(url, exact)).status, 200);
    for (const size of [2 ** 20 + 1, 3 * 2 ** 20]) {
      const { status, answer } = await post(url, exact.padEnd(size));
      t.deepEqual([status, answer.error], [413, 'body_too_large'], `${size} bytes`);
    }
    t.is((await post(url, payload())).status, 200);
  });

  test(`${name}: answers 413 to an oversize body of undeclared length`, async (t) => {
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

  test(`${name}: answers 500 when the handler fails, and runs it again on the next attempt`, async (t) => {
    let runs = 0;
    const receiver = createReceiver({ secret, onError: () => {} }).on('run.completed', () => {
      runs += 1;
      if (runs === 1) throw new Error('private detail');
    });
    const url = await start(t, receiver);
    const body = payload();

    const first = await post(url, body);
    t.deepEqual([first.status, first.answer.error], [500, 'handler_failed']);
    t.notRegex(JSON.stringify(first.answer), /private detail/);
    t.deepEqual((await post(url, body)).answer, { result: 'handled' });
    t.is(runs, 2);
  });
}
