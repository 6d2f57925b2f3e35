import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = [address: Address, prefixLength: number];

/** The trusted proxies, whose entries in `X-Forwarded-For` count: their number, or the networks of their addresses. */
export type TrustedProxies = number | readonly Network[];

/**
 * Parses the proxies of `TRUST_PROXY`: a number from 0 to 16, or a comma-separated list of addresses and CIDR networks.
 * Null if the text is neither, or if a network contains every address.
 */
export function parseTrustedProxies(text: string): TrustedProxies | null {
  if (/^\d+$/.test(text)) return Number(text) <= 16 ? Number(text) : null;
  const networks = text.split(',').map(parseNetwork);
  return networks.every((network) => network !== null) ? networks : null;
}

/**
 * The address of the client of a request, without its port: the nearest address that is not a trusted proxy's. `peer`
 * is the other end of the connection. `forwarded` is the header `X-Forwarded-For`, to whose right end each proxy adds
 * the address that it was called from. Entries further left were sent by the client and are ignored. Empty if a
 * connection has no address, like one to a Unix socket.
 */
export function clientAddress(peer: string | undefined, forwarded: string, trusted: TrustedProxies): string {
  let address = parseAddress(peer ?? '');
  for (const [index, entry] of forwarded.split(',').toReversed().entries()) {
    const isProxy = typeof trusted === 'number' ? index < trusted : isWithin(trusted, address);
    const next = isProxy ? parseAddress(entry) : null;
    if (next === null) break;
    address = next;
  }
  return address?.toString() ?? '';
}

/**
 * Whether the other end of a connection is a trusted proxy, or may be one because only the number of proxies is known.
 */
export function isProxy(peer: string, trusted: TrustedProxies): boolean {
  return typeof trusted === 'number' ? trusted > 0 : isWithin(trusted, parseAddress(peer));
}

function isWithin(networks: readonly Network[], address: Address | null): boolean {
  return networks.some(([start, length]) => address?.kind() === start.kind() && address.match([start, length]));
}

function parseNetwork(text: string): Network | null {
  const [host = '', length, ...rest] = text.trim().split('/');
  if (!isIP(host) || rest.length > 0) return null;
  const address = ipaddr.process(host);
  const bits = address.kind() === 'ipv4' ? 32 : 128;
  if (length === undefined) return [address, bits];
  return /^\d+$/.test(length) && Number(length) >= 1 && Number(length) <= bits ? [address, Number(length)] : null;
}

/** An address that may have a port, as some proxies write it: `192.0.2.1:4711` or `[2001:db8::1]:4711`. */
function parseAddress(text: string): Address | null {
  const host = text
    .trim()
    .replace(/^\[(.*)\](:\d+)?$/, '$1')
    .replace(/^([\d.]+):\d+$/, '$1');
  return isIP(host) ? ipaddr.process(host) : null;
}
