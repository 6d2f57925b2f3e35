import { hash } from 'node:crypto';
import ipaddr from 'ipaddr.js';

/** An IPv4 address, or the /64 network of an IPv6 address, because a client can use all addresses in that network. */
export function networkOf(address: string): string {
  if (!ipaddr.IPv6.isValid(address)) return address;
  return ipaddr.IPv6.parse(address).parts.slice(0, 4).join(':');
}

/** The key of a counter. Keys are hashed, because stores limit their length and need not know the addresses. */
export function counterKey(...parts: readonly string[]): string {
  return hash('sha256', JSON.stringify(parts), 'base64url');
}
