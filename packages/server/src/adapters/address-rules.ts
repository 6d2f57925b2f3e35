import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { isWebPort } from './web-ports.ts';

/** The addresses that webhooks may be sent to. */
export interface AddressRules {
  /** Whether loopback addresses are also allowed, over https and http; for development and tests. */
  readonly allowLocal: boolean;
}

/** A URL or address that webhooks must not be sent to. The message is a predicate for the URL, like "must be https". */
export class AddressRejected extends Error {
  override name = 'AddressRejected';
}

/** What to do if the receiver is on a developer's machine. */
const localRemedy =
  '. For a receiver on this machine, start the service with WEBHOOK_ALLOW_LOCAL=true, or run "runward webhooks listen --forward-to URL", ' +
  'which needs no webhook';

/**
 * Parses the URL of a receiver. Throws an AddressRejected if the URL itself is invalid, before its host is resolved.
 */
export function receiverUrl(text: string, { allowLocal }: AddressRules): URL {
  const url = URL.parse(text);
  const isLocal = url !== null && isLocalHost(url.hostname);
  if (!url || (url.protocol !== 'https:' && !(allowLocal && url.protocol === 'http:'))) {
    throw new AddressRejected(`must be an https URL like https://example.com/hooks${isLocal ? localRemedy : ''}`);
  }
  if (url.username || url.password) {
    throw new AddressRejected('must not contain a user name or password; receivers verify the signature instead');
  }
  if (allowLocal && isLocal) return url;
  if (isInternalName(url.hostname)) {
    throw new AddressRejected(
      `must have a public host name; localhost, *.localhost, *.local and *.internal are rejected${isLocal ? localRemedy : ''}`,
    );
  }
  if (!isWebPort(Number(url.port || (url.protocol === 'http:' ? 80 : 443)))) {
    throw new AddressRejected(
      'must have a web port: 80, 443, or one from 1024 on that belongs to no other service, such as a database',
    );
  }
  return url;
}

/** The names of the machine and of internal networks, to which a resolver may give any address. */
function isInternalName(hostname: string): boolean {
  return /(^|\.)(localhost|local|internal)$/.test(hostname.toLowerCase().replace(/\.+$/, ''));
}

function isLocalHost(hostname: string): boolean {
  const literal = literalAddress(hostname);
  return literal === null ? /(^|\.)localhost\.?$/.test(hostname) : isLoopback(literal);
}

/**
 * Throws an AddressRejected unless all addresses of a host are allowed: a private one among public ones is an attack.
 */
export function ensureReachable(protocol: string, addresses: readonly string[], { allowLocal }: AddressRules): void {
  if (addresses.length > 0 && allowLocal && addresses.every(isLoopback)) return;
  if (protocol !== 'https:')
    throw new AddressRejected('must be https; plain http is allowed only for loopback addresses');
  if (addresses.length === 0 || !addresses.every(isPublic)) {
    const isLocal = addresses.length > 0 && addresses.every(isLoopback);
    throw new AddressRejected(
      `must resolve to a public address; private, loopback and link-local addresses are rejected${isLocal ? localRemedy : ''}`,
    );
  }
}

/** The IP address in a URL's host; null if the host is a name. The URL parser has normalized notations like 0x7f.1. */
export function literalAddress(hostname: string): string | null {
  const host = hostname.replace(/^\[|\]$/g, '');
  return isIP(host) ? host : null;
}

function isPublic(address: string): boolean {
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast' || cloudAddresses.has(parsed.toString())) return false;
  // The library also counts unassigned IPv6 ranges as unicast. Only this block is assigned for public use.
  return parsed.kind() === 'ipv4' || parsed.match(globalUnicast);
}

/**
 * Addresses of cloud metadata services and host agents that look public. Others, like 169.254.169.254, 100.100.100.200,
 * 192.0.0.192 and fd00:ec2::254, are in rejected ranges.
 */
const cloudAddresses: ReadonlySet<string> = new Set(['168.63.129.16']);

const globalUnicast: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

function isLoopback(address: string): boolean {
  return ipaddr.parse(address).range() === 'loopback';
}
