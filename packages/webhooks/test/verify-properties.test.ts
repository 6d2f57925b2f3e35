import { createHmac } from 'node:crypto';
import test from 'ava';
import * as fc from 'fast-check';
import { isWebhookVerificationError, sign, verify } from '../src/index.ts';
import { payload } from './support.ts';

const timestamp = 1_772_359_200;
const now = timestamp * 1000;
const secrets = fc.string({ minLength: 1, unit: 'grapheme' });
const bodies = fc.oneof(
  fc
    .string({ unit: 'grapheme', maxLength: 40 })
    .map((comment) => new TextEncoder().encode(payload({ data: { comment } }))),
  fc.uint8Array({ minLength: 1, maxLength: 64 }),
);

test('sign agrees with node:crypto for any secret and any bytes', async (t) => {
  await t.notThrowsAsync(
    fc.assert(
      fc.asyncProperty(secrets, bodies, async (secret, body) => {
        const headers = await sign(body, { secret, timestamp });
        const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
        return headers['x-flow-signature'] === expected;
      }),
    ),
  );
});

test('verify accepts any body that sign signed', async (t) => {
  await t.notThrowsAsync(
    fc.assert(
      fc.asyncProperty(secrets, fc.json(), async (secret, json) => {
        const body = payload({ data: { json } });
        const event = await verify(body, await sign(body, { secret, timestamp }), { secrets: ['other', secret], now });
        return JSON.stringify(event) === body;
      }),
    ),
  );
});

test('verify rejects a body with one changed byte', async (t) => {
  await t.notThrowsAsync(
    fc.assert(
      fc.asyncProperty(secrets, bodies, fc.nat(), fc.integer({ min: 1, max: 255 }), async (secret, body, at, flip) => {
        const headers = await sign(body, { secret, timestamp });
        return (await codeOf(verify(changed(body, at, flip), headers, { secret, now }))) === 'signature_mismatch';
      }),
    ),
  );
});

test('verify rejects headers with one changed byte', async (t) => {
  const encoder = new TextEncoder();
  const decoder = new TextDecoder('latin1');
  const names = fc.constantFrom('x-flow-timestamp', 'x-flow-signature');
  await t.notThrowsAsync(
    fc.assert(
      fc.asyncProperty(secrets, names, fc.nat(), fc.integer({ min: 1, max: 255 }), async (secret, name, at, flip) => {
        const body = payload();
        const headers: Record<string, string> = { ...(await sign(body, { secret, timestamp })) };
        headers[name] = decoder.decode(changed(encoder.encode(headers[name]), at, flip));
        return (await codeOf(verify(body, headers, { secret, now }))) !== undefined;
      }),
      { numRuns: 500 },
    ),
  );
});

test('verify rejects a truncated and an extended body', async (t) => {
  await t.notThrowsAsync(
    fc.assert(
      fc.asyncProperty(secrets, bodies, fc.nat(), fc.uint8Array({ minLength: 1 }), async (secret, body, at, more) => {
        const headers = await sign(body, { secret, timestamp });
        const others = [body.subarray(0, at % body.length), Uint8Array.from([...body, ...more])];
        const codes = await Promise.all(others.map((other) => codeOf(verify(other, headers, { secret, now }))));
        return codes.every((code) => code === 'signature_mismatch');
      }),
    ),
  );
});

test('verify rejects a body signed with another secret', async (t) => {
  await t.notThrowsAsync(
    fc.assert(
      fc.asyncProperty(secrets, secrets, async (secret, other) => {
        // HMAC pads keys with zero bytes, so keys that differ only in trailing zeros are equal.
        fc.pre(secret.replace(/\0+$/, '') !== other.replace(/\0+$/, ''));
        const body = payload();
        const headers = await sign(body, { secret, timestamp });
        return (await codeOf(verify(body, headers, { secret: other, now }))) === 'signature_mismatch';
      }),
    ),
  );
});

function changed(bytes: Uint8Array, at: number, flip: number): Uint8Array {
  return bytes.map((byte, index) => (index === at % bytes.length ? byte ^ flip : byte));
}

/** The code of a rejection; undefined if the delivery was accepted. Any other error fails the property. */
async function codeOf(result: Promise<unknown>): Promise<string | undefined> {
  try {
    await result;
    return undefined;
  } catch (error) {
    if (isWebhookVerificationError(error)) return error.code;
    throw error;
  }
}
