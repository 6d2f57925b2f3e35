import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The addresses that webhooks may be sent to. */
export interface AddressRules {
  /** Whether loopback addresses are allowed as well, over https and http; for development and tests. */
  readonly allowLocal: boolean;
}

/** A URL or address that webhooks must not be sent to. The message is a predicate for the URL, like "must be https". */
export class AddressRejected extends Error {
  override name = 'AddressRejected';
}

/** Parses the URL of a receiver. Throws an AddressRejected for a URL that is invalid in itself, before its host is resolved. */
export function receiverUrl(text: string, { allowLocal }: AddressRules): URL {
  const url = URL.parse(text);
  if (!url || (url.protocol !== 'https:' && !(allowLocal && url.protocol === 'http:'))) {
    throw new AddressRejected('must be an https URL like https://example.com/hooks');
  }
  if (url.username || url.password) {
    throw new AddressRejected('must not contain a user name or password; receivers verify the signature instead');
  }
  return url;
}

/** Throws an AddressRejected unless every address of a host is allowed: a private address among public ones is an attack. */
export function ensureReachable(protocol: string, addresses: readonly string[], { allowLocal }: AddressRules): void {
  if (addresses.length > 0 && allowLocal && addresses.every(isLoopback)) return;
  if (protocol !== 'https:')
    throw new AddressRejected('must be https; plain http is allowed only for loopback addresses');
  if (addresses.length === 0 || !addresses.every(isPublic)) {
    throw new AddressRejected(
      'must resolve to a public address; private, loopback and link-local addresses are rejected',
    );
  }
}

/** The IP address in a URL's host, or null if the host is a name. The URL parser has already normalized notations like 0x7f.1. */
export function literalAddress(hostname: string): string | null {
  const host = hostname.replace(/^\[|\]$/g, '');
  return isIP(host) ? host : null;
}

function isPublic(address: string): boolean {
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  // The library also counts unassigned IPv6 ranges as unicast; only this block is assigned to the public.
  return parsed.kind() === 'ipv4' || parsed.match(globalUnicast);
}

const globalUnicast: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

function isLoopback(address: string): boolean {
  return ipaddr.parse(address).range() === 'loopback';
}
