import { lookup, type LookupAddress } from 'node:dns';
import { promisify } from 'node:util';

/** Resolves a host name to its addresses. */
export type Resolve = (host: string) => Promise<LookupAddress[]>;

/** The resolver of the operating system. */
export const systemResolve: Resolve = (host) => promisify(lookup)(host, { all: true });
