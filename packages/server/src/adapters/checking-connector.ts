import type { LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import { buildConnector } from 'undici';
import { ensureReachable, literalAddress, type AddressRules } from './address-rules.ts';
import type { Resolve } from './resolve.ts';

const connectMs = 5_000;

/**
 * Creates a connector that only connects to allowed addresses. A name is resolved once, and the socket gets exactly the
 * addresses that were checked, so DNS rebinding has no effect. An IP address in the URL is not resolved, so it is
 * checked before connecting.
 */
export function checkingConnector(rules: AddressRules, resolve: Resolve): buildConnector.connector {
  const connectorFor = (protocol: string) =>
    buildConnector({ timeout: connectMs, lookup: checkingLookup(protocol, rules, resolve) });
  const secure = connectorFor('https:');
  const plain = connectorFor('http:');
  return (options, callback) => {
    const literal = literalAddress(options.hostname);
    try {
      if (literal !== null) ensureReachable(options.protocol, [literal], rules);
    } catch (error) {
      callback(error as Error, null);
      return;
    }
    const connect = options.protocol === 'https:' ? secure : plain;
    connect(options, callback);
  };
}

function checkingLookup(protocol: string, rules: AddressRules, resolve: Resolve): LookupFunction {
  const find = callbackify(async (host: string) => {
    const found = await resolve(host);
    const addresses = found.map(({ address }) => address);
    ensureReachable(protocol, addresses, rules);
    return found;
  });
  return (host, { all }, callback) =>
    find(host, (error, found) => {
      if (error || all) callback(error, found);
      else callback(null, found[0]?.address ?? '', found[0]?.family);
    });
}
