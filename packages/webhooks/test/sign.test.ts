import { createHmac } from 'node:crypto';
import test from 'ava';
import { sign, type SignOptions } from '../src/index.ts';
import { payload } from './support.ts';

test('sign returns the content type, the timestamp and the signature of a body', async (t) => {
  // Computed once with: printf '1772359200.{}' | openssl dgst -sha256 -hmac secret
  t.deepEqual(await sign('{}', { secret: 'secret', timestamp: 1_772_359_200 }), {
    'content-type': 'application/json',
    'x-flow-timestamp': '1772359200',
    'x-flow-signature': '265b1787fe7d1131318141a655f4f29be31c669d231a72d573ea9dc0ee8cfa30',
  });
});

test('sign adds the headers of Standard Webhooks if the body is an event', async (t) => {
  const body = payload({ deliveryId: 'größe-1' });
  const headers = await sign(body, { secret: 'ключ', timestamp: 7 });
  const expected = createHmac('sha256', 'ключ').update(`größe-1.7.${body}`).digest('base64');
  t.deepEqual(headers, {
    'content-type': 'application/json',
    'x-flow-timestamp': '7',
    'x-flow-signature': createHmac('sha256', 'ключ').update(`7.${body}`).digest('hex'),
    'webhook-id': 'größe-1',
    'webhook-timestamp': '7',
    'webhook-signature': `v1,${expected}`,
  });
  t.deepEqual(await sign(Buffer.from(body), { secret: 'ключ', timestamp: 7 }), headers);
});

test('sign rounds a Date down to seconds', async (t) => {
  const fromDate = await sign('{}', { secret: 's', timestamp: new Date(1_772_359_200_999) });
  t.deepEqual(fromDate, await sign('{}', { secret: 's', timestamp: 1_772_359_200 }));
});

test('sign without a timestamp uses the current time', async (t) => {
  const before = Math.floor(Date.now() / 1000);
  const signed = Number((await sign('{}', { secret: 's' }))['x-flow-timestamp']);
  t.true(signed >= before && signed <= Date.now() / 1000);
});

test('sign agrees with node:crypto for non-ASCII text, any bytes and secrets longer than a block', async (t) => {
  const bodies = ['', 'Größe ✓ 🚀', '\uD800', Uint8Array.of(0, 255, 128), Buffer.from('abc'), new ArrayBuffer(3)];
  for (const secret of ['ключ', 'k'.repeat(200)]) {
    for (const body of bodies) {
      const bytes = typeof body === 'string' ? Buffer.from(body) : new Uint8Array(body);
      const expected = createHmac('sha256', secret).update('7.').update(bytes).digest('hex');
      t.is((await sign(body, { secret, timestamp: 7 }))['x-flow-signature'], expected);
    }
  }
});

test('sign rejects a missing secret, a parsed body and an invalid timestamp', async (t) => {
  await t.throwsAsync(sign('{}', { secret: '' }), { message: /Pass the signing secret/ });
  await t.throwsAsync(sign('{}', {} as SignOptions), { message: /Pass the signing secret/ });
  await t.throwsAsync(sign({} as string, { secret: 's' }), { message: /Keep the raw body/ });
  for (const timestamp of [Date.now(), 1.5, -1, Number.NaN, new Date('x')]) {
    await t.throwsAsync(sign('{}', { secret: 's', timestamp }), { instanceOf: RangeError, message: /epoch seconds/ });
  }
});
