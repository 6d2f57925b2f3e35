import test from 'ava';
import { clientAddress, parseTrustedProxies } from '../src/client-address.ts';

/** The address of a client behind the proxies of `TRUST_PROXY`. */
function addressOf(t: { assert: (value: unknown) => void }, proxies: string, peer: string, forwarded = '') {
  const trusted = parseTrustedProxies(proxies);
  t.assert(trusted !== null);
  return clientAddress(peer, forwarded, trusted ?? 0);
}

test('without trusted proxies, X-Forwarded-For is ignored', (t) => {
  t.is(addressOf(t, '0', '192.0.2.1', '203.0.113.9'), '192.0.2.1');
  t.is(addressOf(t, '0', '::ffff:192.0.2.1', '203.0.113.9'), '192.0.2.1');
  t.is(clientAddress(undefined, '203.0.113.9', 0), '');
});

test('a number of proxies is counted from the right of X-Forwarded-For', (t) => {
  const forwarded = '198.51.100.66, 203.0.113.9, 10.0.0.2';
  t.is(addressOf(t, '1', '10.0.0.1', forwarded), '10.0.0.2');
  t.is(addressOf(t, '2', '10.0.0.1', forwarded), '203.0.113.9');
  t.is(addressOf(t, '2', '10.0.0.1', `${forwarded.slice(0, -8)}10.0.0.2`), '203.0.113.9');
  t.is(addressOf(t, '1', '10.0.0.1', '203.0.113.9'), '203.0.113.9');
  t.is(clientAddress(undefined, '203.0.113.9', 1), '203.0.113.9');
});

test('a header that is missing, shorter than the number of proxies or not a list of addresses leaves the nearest address', (t) => {
  t.is(addressOf(t, '1', '10.0.0.1'), '10.0.0.1');
  t.is(addressOf(t, '3', '10.0.0.1', '203.0.113.9'), '203.0.113.9');
  t.is(addressOf(t, '1', '10.0.0.1', 'unknown'), '10.0.0.1');
  t.is(addressOf(t, '2', '10.0.0.1', '<script>, 10.0.0.2'), '10.0.0.2');
});

test('an address that a client puts into X-Forwarded-For is ignored', (t) => {
  for (const forged of ['198.51.100.66', '10.0.0.7', '127.0.0.1', '10.0.0.7, 10.0.0.8']) {
    t.is(addressOf(t, '1', '10.0.0.1', `${forged}, 203.0.113.9`), '203.0.113.9');
    t.is(addressOf(t, '10.0.0.0/8', '10.0.0.1', `${forged}, 203.0.113.9`), '203.0.113.9');
    t.is(addressOf(t, '10.0.0.0/8', '203.0.113.9', forged), '203.0.113.9');
  }
});

test('with addresses and networks of proxies, the client is the nearest address outside of them', (t) => {
  const proxies = '10.0.0.0/8, 192.0.2.7,2001:db8:1::/48';
  t.is(addressOf(t, proxies, '10.1.2.3', '203.0.113.9, 192.0.2.7'), '203.0.113.9');
  t.is(addressOf(t, proxies, '::ffff:10.1.2.3', '203.0.113.9'), '203.0.113.9');
  t.is(addressOf(t, proxies, '2001:db8:1::5', '2001:db8:2::9'), '2001:db8:2::9');
  t.is(addressOf(t, proxies, '192.0.2.8', '203.0.113.9'), '192.0.2.8');
  t.is(addressOf(t, proxies, '10.1.2.3', '10.4.5.6, 10.7.8.9'), '10.4.5.6');
});

test('ports after the addresses are dropped', (t) => {
  t.is(addressOf(t, '1', '10.0.0.1', '203.0.113.9:4711'), '203.0.113.9');
  t.is(addressOf(t, '1', '10.0.0.1', '[2001:db8::9]:4711'), '2001:db8::9');
  t.is(addressOf(t, '1', '10.0.0.1', '[2001:db8::9]'), '2001:db8::9');
});

test('only a number from 0 to 16, or addresses and networks that do not contain every address, are proxies', (t) => {
  t.deepEqual([parseTrustedProxies('0'), parseTrustedProxies('16')], [0, 16]);
  const rejected =
    'true false  17 -1 1.5 loopback 10.0.0.0/33 10.0.0.0/ 10.0.0.0/8/8 10.0.0/8 0.0.0.0/0 ::/0 ::1/129 10.0.0.1, proxy.example.com 10.0.0.1:80';
  for (const text of [...rejected.split(' '), '10.0.0.1 10.0.0.2']) {
    t.is(parseTrustedProxies(text), null, text);
  }
});
