import type { LookupAddress } from 'node:dns';
import { once } from 'node:events';
import { createServer } from 'node:https';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { startReceiver } from '@runward/testing/receiver';
import { selfSigned } from '@runward/testing/self-signed';
import test from 'ava';
import { createOutboundHttp } from '../../src/adapters/outbound-http.ts';
import { ApiError } from '../../src/api-error.ts';

const strict = createOutboundHttp({ allowLocal: false });
const local = createOutboundHttp({ allowLocal: true });
test.after.always(async () => {
  await strict.close();
  await local.close();
});

/** Why a URL is rejected when it is saved; null if it is accepted. */
async function rejection(outbound: typeof strict, url: string): Promise<string | null> {
  try {
    await outbound.ensureAllowed(url);
    return null;
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) return [error.messages].flat().join(' ');
    throw error;
  }
}

/** A resolver that knows one name. */
function knowing(host: string, ...addresses: string[]) {
  const asked: string[] = [];
  const resolve = async (name: string): Promise<LookupAddress[]> => {
    asked.push(name);
    if (name !== host) throw new Error('ENOTFOUND');
    return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  };
  return { asked, resolve };
}

const inside = [
  'https://127.0.0.1/',
  'https://127.1/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0x7f.1/',
  'https://0177.0.0.1/',
  'https://017700000001/',
  'https://127.0.0.1./',
  'https://localhost/',
  'https://localhost:8443/hook',
  'https://LOCALHOST/',
  'https://[::1]/',
  'https://[0:0:0:0:0:0:0:1]/',
  'https://[::]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[::127.0.0.1]/',
  'https://0.0.0.0/',
  'https://0/',
  'https://10.0.0.1/',
  'https://172.16.0.1/',
  'https://172.31.255.255/',
  'https://192.168.1.1/',
  'https://169.254.169.254/latest/meta-data/',
  'https://[::ffff:169.254.169.254]/',
  'https://100.64.0.1/',
  'https://192.0.2.1/',
  'https://198.18.0.1/',
  'https://224.0.0.1/',
  'https://255.255.255.255/',
  'https://[fe80::1]/',
  'https://[fc00::1]/',
  'https://[fd12:3456::1]/',
  'https://[2001:db8::1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[2002:7f00:1::]/',
  'https://[2001::1]/',
  'https://[100:64::1]/',
  'https://[ff02::1]/',
];

const malformed = [
  'http://example.com/',
  'ftp://example.com/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'example.com/hook',
  '/hook',
  '',
  'https://',
  'https://user@93.184.216.34/',
  'https://user:secret@93.184.216.34/',
  'https://:secret@93.184.216.34/',
];

test('private addresses are rejected when a URL is saved, in every notation', async (t) => {
  for (const url of inside) t.regex((await rejection(strict, url)) ?? '', /^url: (must|its host)/, url);
});

test('private addresses are rejected at every attempt, before connecting', async (t) => {
  for (const url of inside) {
    const answer = await strict.post(url, {}, '{}');
    t.is(answer.statusCode, null, url);
    t.truthy(answer.error, url);
  }
  await using receiver = await startReceiver();
  const { port } = new URL(receiver.url);
  for (const host of ['127.0.0.1', '127.1', '2130706433', 'localhost', '[::ffff:127.0.0.1]']) {
    const { error } = await strict.post(`https://${host}:${port}/`, {}, '{}');
    t.regex(error ?? '', /^The URL must (resolve to a public address|have a public host name)/, host);
    t.regex((await strict.post(`http://${host}:${port}/`, {}, '{}')).error ?? '', /must be an https URL/, host);
  }
  t.is(receiver.received.length, 0);
});

test('a URL that is not plain https is rejected when it is saved and at every attempt', async (t) => {
  for (const url of malformed) {
    t.regex((await rejection(strict, url)) ?? '', /^url: must (be an https URL|not contain a user name)/, url);
    t.is((await strict.post(url, {}, '{}')).statusCode, null, url);
  }
});

test('the rejection of a local URL, and of no other, says how to receive on this machine', async (t) => {
  const remedy = /WEBHOOK_ALLOW_LOCAL=true, or run "runward webhooks listen --forward-to URL"/;
  for (const url of ['http://127.0.0.1:4000/', 'http://localhost:4000', 'https://localhost/', 'https://[::1]/']) {
    t.regex((await rejection(strict, url)) ?? '', remedy, url);
  }
  for (const url of ['http://example.com/', 'https://10.0.0.1/', 'https://printer.local/', 'nonsense']) {
    t.notRegex((await rejection(strict, url)) ?? '', remedy, url);
  }
  t.is(await rejection(local, 'http://127.0.0.1:4000/'), null);
});

test('WEBHOOK_ALLOW_LOCAL allows loopback addresses and no other private ones', async (t) => {
  for (const url of ['http://127.0.0.1:1/', 'http://localhost:1/', 'http://[::1]:1/', 'https://127.8.8.8/']) {
    t.is(await rejection(local, url), null, url);
    t.not(await rejection(strict, url), null, url);
  }
  for (const url of ['http://10.0.0.1/', 'http://93.184.216.34/', 'https://10.0.0.1/', 'https://[::ffff:127.0.0.1]/']) {
    t.not(await rejection(local, url), null, url);
  }
});

test('addresses of cloud services, internal names and ports of other services are rejected', async (t) => {
  const hosts = ['168.63.129.16', '169.254.169.254', '100.100.100.200', '192.0.0.192', '[fd00:ec2::254]'];
  for (const host of hosts) {
    t.regex((await rejection(strict, `https://${host}/`)) ?? '', /^url: must resolve to a public address/, host);
    t.not(await rejection(local, `https://${host}/`), null, host);
  }
  for (const host of ['localhost', 'a.localhost', 'LOCALHOST.', 'printer.local', 'metadata.google.internal']) {
    const message = 'url: must have a public host name; localhost, *.localhost, *.local and *.internal are rejected';
    t.true((await rejection(strict, `https://${host}/`))?.startsWith(message), host);
  }
  for (const port of [22, 25, 81, 1023, 3306, 5432, 6379, 6667, 27_017]) {
    t.regex(
      (await rejection(strict, `https://93.184.216.34:${port}/`)) ?? '',
      /^url: must have a web port: 80, 443, or/,
    );
    t.regex((await strict.post(`https://93.184.216.34:${port}/`, {}, '')).error ?? '', /must have a web port/);
  }
  for (const port of [80, 443, 1024, 8080, 8443, 65_535]) {
    t.is(await rejection(strict, `https://93.184.216.34:${port}/`), null);
  }
});

test('public addresses are allowed', async (t) => {
  for (const url of ['https://93.184.216.34/', 'https://93.184.216.34:8443/a?b=c', 'https://[2606:4700::1111]/']) {
    t.is(await rejection(strict, url), null, url);
  }
});

test('a host name is rejected if any of its addresses is private', async (t) => {
  const cases: [string[], boolean][] = [
    [['93.184.216.34'], true],
    [['93.184.216.34', '2606:4700::1111'], true],
    [['93.184.216.34', '10.0.0.1'], false],
    [['10.0.0.1'], false],
    [['93.184.216.34', '::1'], false],
    [['::ffff:10.0.0.1'], false],
    [[], false],
  ];
  for (const [addresses, allowed] of cases) {
    const outbound = createOutboundHttp({ allowLocal: false, ...knowing('hooks.example', ...addresses) });
    t.is((await rejection(outbound, 'https://hooks.example/')) === null, allowed, addresses.join());
    if (!allowed)
      t.regex((await outbound.post('https://hooks.example/', {}, '')).error ?? '', /must resolve to a public/);
    await outbound.close();
  }
});

test('a host name that cannot be resolved yet is allowed over https, and fails when something is sent', async (t) => {
  const outbound = createOutboundHttp({ allowLocal: true, ...knowing('other') });
  t.is(await rejection(outbound, 'https://hooks.example/'), null);
  t.is((await outbound.post('https://hooks.example/', {}, '')).error, 'No response: ENOTFOUND');
  t.regex((await rejection(outbound, 'http://hooks.example/')) ?? '', /^url: must be https;/);
  await outbound.close();
});

test('the connection uses the checked address without a second lookup', async (t) => {
  await using receiver = await startReceiver();
  const names = knowing('hooks.example', '127.0.0.1');
  const outbound = createOutboundHttp({ allowLocal: true, ...names });
  const url = receiver.url.replace('127.0.0.1', 'hooks.example');

  t.is((await outbound.post(url, {}, '{}')).statusCode, 200);
  t.deepEqual(names.asked, ['hooks.example']);
  t.regex(receiver.received[0]?.headers.host ?? '', /^hooks\.example:/);
  await outbound.close();
});

test('a post sends body and headers unchanged, with our user agent', async (t) => {
  await using receiver = await startReceiver(() => (response) => {
    response.writeHead(202, { 'retry-after': '7' }).end('thanks');
  });
  const body = JSON.stringify({ text: 'Grüße ✓' });
  const answer = await local.post(receiver.url, { 'content-type': 'application/json', 'x-a': 'b' }, body);

  t.like(answer, { statusCode: 202, retryAfterSeconds: 7, body: 'thanks', error: null, timedOut: false });
  t.true(Number.isInteger(answer.durationMs));
  const [received] = receiver.received;
  t.like(received, { method: 'POST', url: '/hook', body });
  t.like(received?.headers, { 'content-type': 'application/json', 'x-a': 'b', 'accept-encoding': 'identity' });
  t.regex(received?.headers['user-agent'] ?? '', /^Runward-Webhooks\/\d+\.\d+\.\d+$/);
});

test('Retry-After is parsed as seconds or a date; any other value is ignored', async (t) => {
  const inTwoMinutes = new Date(Date.now() + 120_000).toUTCString();
  const values = ['30', inTwoMinutes, 'soon', '-5', ''];
  await using receiver = await startReceiver((count) => (response) => {
    response.writeHead(503, { 'retry-after': values[count - 1] ?? '' }).end();
  });
  const seconds: (number | null)[] = [];
  for (const _ of values) seconds.push((await local.post(receiver.url, {}, '')).retryAfterSeconds);
  t.is(seconds[0], 30);
  t.true(seconds[1] !== null && seconds[1] !== undefined && seconds[1] > 110 && seconds[1] <= 120);
  t.deepEqual(seconds.slice(2), [null, null, null]);
});

test('redirects are not followed', async (t) => {
  await using target = await startReceiver();
  await using receiver = await startReceiver((count) => (response) => {
    response.writeHead([301, 302, 303, 307, 308][count - 1] ?? 302, { location: target.url }).end();
  });
  for (const status of [301, 302, 303, 307, 308]) {
    const answer = await local.post(receiver.url, {}, '{}');
    t.is(answer.statusCode, status);
    t.regex(answer.error ?? '', /Redirects are not followed/);
  }
  t.is(target.received.length, 0);
});

test('of a large response only the start is read and 4 KB are stored, as storable text', async (t) => {
  await using receiver = await startReceiver(() => (response) => {
    response.writeHead(200).write(Buffer.concat([Buffer.from('a\0bÿ'), Buffer.alloc(8_000, 'x')]));
    const more = setInterval(() => response.write(Buffer.alloc(16_384, 'y')), 1);
    response.on('close', () => clearInterval(more));
  });
  const { statusCode, body, error } = await local.post(receiver.url, {}, '');
  t.is(statusCode, 200);
  t.is(error, null);
  t.is(body?.length, 4_094);
  t.true(body?.startsWith('abÿxxx'));
  t.false(body?.includes('\0'));
});

test('the final response counts, not an interim one before it', async (t) => {
  await using receiver = await startReceiver(() => (response) => {
    response.writeEarlyHints({ link: '</style.css>; rel=preload' });
    response.writeHead(201).end('done');
  });
  t.like(await local.post(receiver.url, {}, ''), { statusCode: 201, body: 'done', error: null });
});

test('what is given up while its host is looked for is never sent', async (t) => {
  await using receiver = await startReceiver();
  const asked = Promise.withResolvers<void>();
  const found = Promise.withResolvers<LookupAddress[]>();
  const resolve = () => {
    asked.resolve();
    return found.promise;
  };
  const [outbound, other] = [
    createOutboundHttp({ allowLocal: true, resolve }),
    createOutboundHttp({ allowLocal: true, resolve }),
  ];
  t.teardown(() => other.close());
  const url = receiver.url.replace('127.0.0.1', 'hooks.example');
  const late = outbound.post(url, {}, 'late');
  await asked.promise;
  await outbound.close();
  t.like(await late, { statusCode: null, timedOut: false });

  found.resolve([{ address: '127.0.0.1', family: 4 }]);
  t.truthy((await outbound.post(url, {}, 'later')).error);
  t.is((await other.post(url, {}, 'sent')).statusCode, 200);
  t.deepEqual(
    receiver.received.map(({ body }) => body),
    ['sent'],
  );
});

test('a response with more than 16 KB of headers is an error', async (t) => {
  await using receiver = await startReceiver(() => (response) => {
    response.writeHead(200, { 'x-large': 'h'.repeat(20_000) }).end();
  });
  const answer = await local.post(receiver.url, {}, '');
  t.is(answer.error, 'The response headers exceed 16 KB.');
});

test('every failure returns a result, never throws', async (t) => {
  const rude = createTcpServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  const babbling = createTcpServer((socket) => socket.end('no http at all\r\n\r\n')).listen(0, '127.0.0.1');
  await Promise.all([once(rude, 'listening'), once(babbling, 'listening')]);
  const urls = [rude, babbling].map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  for (const url of [...urls, 'http://127.0.0.1:1/', 'http://nowhere.invalid/']) {
    const answer = await local.post(url, {}, '{}');
    t.like(answer, { statusCode: null, body: null, timedOut: false }, url);
    t.truthy(answer.error, url);
  }
  t.truthy((await local.post('http://127.0.0.1:1/', { 'bad header': 'x\r\ny' }, '{}')).error);
  rude.close();
  babbling.close();
});

test('an untrusted certificate is rejected', async (t) => {
  let served = 0;
  const server = createServer(selfSigned, (_, response) => response.end(String((served += 1)))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const answer = await local.post(`https://localhost:${(server.address() as AddressInfo).port}/`, {}, '{}');
  t.regex(answer.error ?? '', /certificate/);
  t.is(served, 0);
  server.close();
});

test('a response is cut off after the time limit in total, also a slow one; closing ends it immediately', async (t) => {
  await using silent = await startReceiver(() => () => {});
  await using dripping = await startReceiver(() => (response) => {
    response.writeHead(200);
    const drip = setInterval(() => response.write('.'), 20);
    response.on('close', () => clearInterval(drip));
  });
  const closed = createOutboundHttp({ allowLocal: true });
  const cut = closed.post(silent.url, {}, '');
  await silent.wait(1);
  await closed.close();
  t.like(await cut, { statusCode: null, timedOut: false });

  const brief = createOutboundHttp({ allowLocal: true, timeoutMs: 3_000 });
  t.teardown(() => brief.close());
  const [none, partial] = await Promise.all([brief.post(silent.url, {}, ''), brief.post(dripping.url, {}, '')]);
  for (const answer of [none, partial]) {
    t.like(answer, { timedOut: true, error: 'No complete response within 3 s.' });
    t.true(answer.durationMs >= 2_950);
  }
  t.is(none.statusCode, null);
  t.is(partial.statusCode, 200);
});
