import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Which addresses webhooks may be sent to. */
export interface AddressRules {
  /** Whether loopback addresses are open too, over https and http; for development and tests. */
  readonly allowLocal: boolean;
}

/** Webhooks are not sent there; the message says why, as the end of a sentence that begins with what was refused. */
export class AddressRefused extends Error {
  override name = 'AddressRefused';
}

/** The parsed URL of a receiver; throws where its form alone rules it out. */
export function receiverUrl(text: string, { allowLocal }: AddressRules): URL {
  const url = URL.parse(text);
  if (!url || (url.protocol !== 'https:' && !(allowLocal && url.protocol === 'http:'))) {
    throw new AddressRefused('must be an https URL like https://example.com/hooks');
  }
  if (url.username || url.password) {
    throw new AddressRefused('must not contain a user name or password; receivers verify the signature instead');
  }
  return url;
}

/** Throws unless every address a host stands for may be reached: one bad answer among good ones is an attack. */
export function ensureReachable(protocol: string, addresses: readonly string[], { allowLocal }: AddressRules): void {
  if (addresses.length > 0 && allowLocal && addresses.every(isLoopback)) return;
  if (protocol !== 'https:')
    throw new AddressRefused('must be https; plain http is allowed only for loopback addresses');
  if (addresses.length === 0 || !addresses.every(isPublic)) {
    throw new AddressRefused(
      'must resolve to a public address; private, loopback and link-local addresses are rejected',
    );
  }
}

/** The address a URL's host is written as, or null where it is a name. The URL parser has made 0x7f.1 and the like plain. */
export function literalAddress(hostname: string): string | null {
  const host = hostname.replace(/^\[|\]$/g, '');
  return isIP(host) ? host : null;
}

function isPublic(address: string): boolean {
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  // IPv6 that nobody was given counts as unicast as well; only this block is handed out.
  return parsed.kind() === 'ipv4' || parsed.match(handedOut);
}

const handedOut: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

function isLoopback(address: string): boolean {
  return ipaddr.parse(address).range() === 'loopback';
}
