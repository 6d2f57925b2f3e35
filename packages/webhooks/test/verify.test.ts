import { createHmac } from 'node:crypto';
import vm from 'node:vm';
import test, { type ExecutionContext } from 'ava';
import {
  type HeadersLike,
  isWebhookVerificationError,
  type RawBody,
  sign,
  verify,
  type VerifyOptions,
  WebhookVerificationError,
  type WebhookVerificationErrorCode,
} from '../src/index.ts';
import { payload, secret } from './support.ts';

const now = new Date('2026-03-01T10:00:00Z');
const body = payload();
const { 'x-flow-timestamp': timestamp, 'x-flow-signature': signature } = await sign(body, { secret, timestamp: now });
const headers = { 'x-flow-timestamp': timestamp, 'x-flow-signature': signature };

test('verify returns the event of a valid delivery', async (t) => {
  t.deepEqual(await verify(body, headers, { secret, now }), JSON.parse(body));
});

test('verify without now uses the current time', async (t) => {
  await rejected(t, 'timestamp_outside_tolerance', { options: { now: undefined } });
  await t.notThrowsAsync(verify(body, await sign(body, { secret }), { secret }));
});

test('missing_secret: verify rejects a missing or empty secret, an empty list and a string instead of a list', async (t) => {
  const wrong: unknown[] = [
    {},
    { secret: undefined },
    { secret: '' },
    { secrets: [] },
    { secret, secrets: [''] },
    { secrets: [secret, undefined] },
    { secrets: secret },
  ];
  for (const options of wrong) {
    const error = await t.throwsAsync(verify(body, headers, options as VerifyOptions), {
      name: 'WebhookVerificationError',
    });
    t.like(error, { code: 'missing_secret' }, JSON.stringify(options));
    t.regex(error.message, /Pass the signing secret/);
  }
});

test('body_not_raw: verify rejects an object, an array, a number and a missing body', async (t) => {
  for (const rawBody of [JSON.parse(body), [1, 2], 7, null, undefined] as RawBody[]) {
    const error = await rejected(t, 'body_not_raw', { rawBody });
    t.regex(error.message, /Keep the raw body/);
  }
});

test('missing_header: verify names the missing headers', async (t) => {
  const { message: both } = await rejected(t, 'missing_header', { headers: {} });
  t.regex(both, /^Missing header: x-flow-timestamp, x-flow-signature\. /);
  const { message: one } = await rejected(t, 'missing_header', { headers: { 'x-flow-timestamp': timestamp } });
  t.regex(one, /^Missing header: x-flow-signature\. /);
  await rejected(t, 'missing_header', { headers: { ...headers, 'x-flow-signature': undefined } });
  await rejected(t, 'missing_header', { headers: { ...headers, 'x-flow-timestamp': [] } });
  await rejected(t, 'missing_header', { headers: undefined as unknown as HeadersLike });
});

test('invalid_timestamp: verify rejects a timestamp that is not an integer', async (t) => {
  const wrong = [
    'now',
    '1e9',
    '-5',
    '1.5',
    '0x10',
    ' 1',
    '٣',
    '1'.repeat(16),
    now.toISOString(),
    `${timestamp}, ${timestamp}`,
  ];
  for (const value of wrong) {
    await rejected(t, 'invalid_timestamp', { headers: { ...headers, 'x-flow-timestamp': value } });
  }
});

test('timestamp_outside_tolerance: verify is exact at both limits, in milliseconds', async (t) => {
  const at = (offsetMs: number): { now: number } => ({ now: now.getTime() + offsetMs });
  for (const offsetMs of [-300_000, 0, 300_000]) {
    await t.notThrowsAsync(verify(body, headers, { secret, ...at(offsetMs) }), String(offsetMs));
  }
  const { message: old } = await rejected(t, 'timestamp_outside_tolerance', { options: at(300_001) });
  const { message: ahead } = await rejected(t, 'timestamp_outside_tolerance', { options: at(-300_001) });
  t.regex(old, /301 s old, more than the 300 s allowed.*clock/);
  t.regex(ahead, /301 s ahead/);
  const { message: ancient } = await rejected(t, 'timestamp_outside_tolerance', { options: at(3 * 86_400_000) });
  t.regex(ancient, /is 3 days old/);

  await t.notThrowsAsync(verify(body, headers, { secret, ...at(10_000), toleranceSeconds: 10 }));
  await rejected(t, 'timestamp_outside_tolerance', { options: { ...at(10_001), toleranceSeconds: 10 } });
  await t.notThrowsAsync(verify(body, headers, { secret, now, toleranceSeconds: 0 }));
});

test('timestamp_outside_tolerance: verify rejects a timestamp in milliseconds', async (t) => {
  const inMs = { ...headers, 'x-flow-timestamp': `${timestamp}000` };
  await rejected(t, 'timestamp_outside_tolerance', { headers: inMs });
});

test('verify throws a RangeError if toleranceSeconds or now is not a number', async (t) => {
  for (const toleranceSeconds of [Number.NaN, -1, Infinity]) {
    await t.throwsAsync(verify(body, headers, { secret, toleranceSeconds }), { instanceOf: RangeError });
  }
  for (const wrong of [Number.NaN, new Date('x')]) {
    await t.throwsAsync(verify(body, headers, { secret, now: wrong }), { instanceOf: RangeError });
  }
});

test('invalid_signature_format: verify rejects anything but 64 lowercase hex digits', async (t) => {
  const wrong = [
    'x',
    signature.slice(1),
    `${signature}0`,
    signature.repeat(2),
    `sha256=${signature}`,
    `${signature.slice(1)}g`,
  ];
  for (const value of [...wrong, signature.toUpperCase(), `${signature}\n`, `${signature}, ${signature}`]) {
    await rejected(t, 'invalid_signature_format', { headers: { ...headers, 'x-flow-signature': value } });
  }
});

test('signature_mismatch: verify rejects another secret, body or timestamp', async (t) => {
  await rejected(t, 'signature_mismatch', { options: { secret: `${secret}\n` } });
  await rejected(t, 'signature_mismatch', { rawBody: `${body} ` });
  await rejected(t, 'signature_mismatch', { rawBody: '' });
  await rejected(t, 'signature_mismatch', { headers: { ...headers, 'x-flow-timestamp': `0${timestamp}` } });
});

test('signature_mismatch: verify rejects a digit moved from the timestamp to the body', async (t) => {
  const shifted = { ...headers, 'x-flow-timestamp': timestamp.slice(0, -1) };
  await rejected(t, 'signature_mismatch', {
    rawBody: `${timestamp.at(-1)}.${body}`,
    headers: shifted,
    options: { toleranceSeconds: 1e10 },
  });
});

test('invalid_payload: verify rejects a signed body that is not a payload', async (t) => {
  const { data, ...rest } = JSON.parse(body) as Record<string, unknown>;
  const wrong = ['', 'x', 'null', '[]', '"text"', payload({ event: 7 }), payload({ event: '' }), JSON.stringify(rest)];
  const fields = ['deliveryId', 'timestamp', 'orgId'].map((key) => JSON.stringify({ ...rest, data, [key]: undefined }));
  for (const rawBody of [...wrong, ...fields, payload({ data: null }), payload({ data: [] }), payload({ data: 'x' })]) {
    const signed = await sign(rawBody, { secret, timestamp: now });
    await rejected(t, 'invalid_payload', { rawBody, headers: signed });
  }
});

test('verify reports the first failed check', async (t) => {
  const old = { 'x-flow-timestamp': '1', 'x-flow-signature': 'x' };
  const parsed = {} as RawBody;
  await rejected(t, 'missing_secret', { rawBody: parsed, headers: {}, options: { secret: '' } });
  await rejected(t, 'body_not_raw', { rawBody: parsed, headers: {} });
  await rejected(t, 'missing_header', { rawBody: 'x', headers: { 'x-flow-timestamp': 'x' } });
  await rejected(t, 'invalid_timestamp', { rawBody: 'x', headers: { ...old, 'x-flow-timestamp': 'x' } });
  await rejected(t, 'timestamp_outside_tolerance', { rawBody: 'x', headers: old });
  await rejected(t, 'invalid_signature_format', { rawBody: 'x', headers: { ...old, 'x-flow-timestamp': timestamp } });
  await rejected(t, 'signature_mismatch', { rawBody: 'no json' });
});

test('verify accepts a signature made with any of several secrets', async (t) => {
  for (const secrets of [
    ['new', secret],
    [secret, 'old'],
    ['a', 'b', secret],
  ]) {
    await t.notThrowsAsync(verify(body, headers, { secrets, now }), secrets.join());
  }
  await t.notThrowsAsync(verify(body, headers, { secret: 'new', secrets: [secret], now }));
  await rejected(t, 'signature_mismatch', { options: { secret: undefined, secrets: ['new', 'old'] } });
});

test('verify accepts either signature of a delivery during a rotation', async (t) => {
  const [fresh, old] = await Promise.all(
    ['new', 'old'].map(async (key) => (await sign(body, { secret: key, timestamp: now }))['x-flow-signature']),
  );
  const during = { 'x-flow-timestamp': timestamp, 'x-flow-signature': fresh, 'x-flow-signature-previous': old };
  for (const secrets of [['new'], ['old'], ['new', 'old'], ['other', 'old']]) {
    t.deepEqual(await verify(body, during, { secrets, now }), JSON.parse(body), secrets.join());
  }
  t.deepEqual(
    await verify(body, new Headers(Object.entries(during).map(([name, value]) => [name, value ?? ''])), {
      secret: 'old',
      now,
    }),
    JSON.parse(body),
  );
  await rejected(t, 'signature_mismatch', { headers: during });
  await rejected(t, 'signature_mismatch', { rawBody: `${body} `, headers: during, options: { secret: 'old' } });
});

test('verify rejects a delivery with only the second signature, or with one in an invalid format', async (t) => {
  const { message: missing } = await rejected(t, 'missing_header', {
    headers: { 'x-flow-timestamp': timestamp, 'x-flow-signature-previous': signature },
  });
  t.regex(missing, /^Missing header: x-flow-signature\. /);
  for (const value of ['x', signature.toUpperCase(), `${signature}, ${signature}`]) {
    const { message } = await rejected(t, 'invalid_signature_format', {
      headers: { ...headers, 'x-flow-signature-previous': value },
    });
    t.regex(message, /^x-flow-signature-previous is not 64/);
  }
  await t.notThrowsAsync(verify(body, { ...headers, 'x-flow-signature-previous': '' }, { secret, now }));
});

test.serial('verify tries every secret on every signature, even after a match', async (t) => {
  const original = crypto.subtle.verify.bind(crypto.subtle);
  let calls = 0;
  crypto.subtle.verify = (...args: Parameters<typeof original>) => {
    calls += 1;
    return original(...args);
  };
  t.teardown(() => Reflect.deleteProperty(crypto.subtle, 'verify'));

  await verify(body, headers, { secrets: [secret, 'b', 'c'], now });
  t.is(calls, 3);
  await verify(body, { ...headers, 'x-flow-signature-previous': '0'.repeat(64) }, { secrets: [secret, 'b', 'c'], now });
  t.is(calls, 9);
});

test('verify accepts headers in any form and case', async (t) => {
  const pairs = Object.entries(headers);
  const upper = pairs.map(([name, value]): [string, string] => [name.toUpperCase(), value]);
  const forms: Record<string, HeadersLike> = {
    Headers: new Headers(headers),
    'upper-case record': Object.fromEntries(upper),
    'arrays of values': Object.fromEntries(pairs.map(([name, value]) => [name, [value]])),
    'record without prototype': Object.assign(Object.create(null) as object, headers),
    Map: new Map(upper),
    pairs,
    'getter only': { get: (name: string) => new Headers(headers).get(name) },
  };
  for (const [form, value] of Object.entries(forms)) {
    await t.notThrowsAsync(verify(body, value, { secret, now }), form);
  }
});

test('verify rejects a repeated header, also in different case', async (t) => {
  await rejected(t, 'invalid_signature_format', { headers: { ...headers, 'X-Flow-Signature': signature } });
  await rejected(t, 'invalid_timestamp', { headers: { ...headers, 'x-flow-timestamp': [timestamp, '5'] } });
});

test('verify accepts the same bytes in any form, including non-ASCII and from another realm', async (t) => {
  const text = payload({ orgId: 'Größe ✓ 🚀' });
  const bytes = new TextEncoder().encode(text);
  const padded = Buffer.concat([Buffer.from('##'), bytes, Buffer.from('##')]);
  const foreign: unknown = vm.runInNewContext('Uint8Array.from(bytes)', { bytes });
  t.false(foreign instanceof Uint8Array);
  const forms: RawBody[] = [
    text,
    bytes,
    Buffer.from(text),
    padded.subarray(2, -2),
    bytes.buffer,
    foreign as Uint8Array,
    (foreign as Uint8Array).buffer as ArrayBuffer,
  ];
  const mac = createHmac('sha256', secret).update(`${timestamp}.`).update(bytes).digest('hex');
  for (const form of forms) {
    t.deepEqual(await verify(form, { ...headers, 'x-flow-signature': mac }, { secret, now }), JSON.parse(text));
  }
});

test('verify distinguishes bytes that are not UTF-8 from their replacement characters', async (t) => {
  const bytes = Buffer.from(payload({ orgId: '?' })).map((byte) => (byte === 0x3f ? 0xff : byte));
  const signed = await sign(bytes, { secret, timestamp: now });
  await rejected(t, 'invalid_payload', { rawBody: bytes, headers: signed });
  await rejected(t, 'signature_mismatch', { rawBody: new TextDecoder().decode(bytes), headers: signed });
});

test('verify returns the verified event even if the buffer changes meanwhile', async (t) => {
  const bytes = new TextEncoder().encode(body);
  const pending = verify(bytes, headers, { secret, now });
  bytes.fill(0x20);
  t.deepEqual(await pending, JSON.parse(body));
});

test('isWebhookVerificationError recognizes errors of other copies of the package, and no other values', (t) => {
  const error = new WebhookVerificationError('missing_header', 'x');
  const copy = Object.assign(new Error('x'), { name: 'WebhookVerificationError', code: 'missing_header' });
  t.true(isWebhookVerificationError(error));
  t.true(isWebhookVerificationError(copy));
  for (const other of [null, 'x', new Error('x'), { name: copy.name, code: 'other' }, { code: 'missing_header' }]) {
    t.false(isWebhookVerificationError(other));
  }
});

async function rejected(
  t: ExecutionContext,
  code: WebhookVerificationErrorCode,
  change: { rawBody?: RawBody; headers?: HeadersLike; options?: VerifyOptions },
): Promise<WebhookVerificationError> {
  const rawBody = 'rawBody' in change ? change.rawBody : body;
  const given = 'headers' in change ? change.headers : headers;
  const error = await t.throwsAsync(verify(rawBody, given, { secret, now, ...change.options }), {
    instanceOf: WebhookVerificationError,
  });
  t.is(error.code, code, error.message);
  return error;
}
