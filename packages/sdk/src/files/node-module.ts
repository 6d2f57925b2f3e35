import type * as crypto from 'node:crypto';
import type * as fs from 'node:fs';
import type * as fsPromises from 'node:fs/promises';
import type * as os from 'node:os';
import type * as path from 'node:path';
import type * as url from 'node:url';
import { RunwardError } from '../errors/errors.ts';

interface NodeModules {
  readonly crypto: typeof crypto;
  readonly fs: typeof fs;
  readonly 'fs/promises': typeof fsPromises;
  readonly os: typeof os;
  readonly path: typeof path;
  readonly url: typeof url;
}

/**
 * Whether this is Node, or a runtime with Node's modules. Elsewhere, such as in browsers, request bodies cannot be
 * streamed.
 */
export const isNode = typeof process !== 'undefined' && typeof process.versions?.node === 'string';

/**
 * Loads a module of Node when it is first needed. Its name is not a literal, so that bundlers for browsers do not look
 * for it.
 *
 * @throws RunwardError if this is not Node; `what` names the feature that needs it
 */
export async function nodeModule<Name extends keyof NodeModules>(name: Name, what: string): Promise<NodeModules[Name]> {
  if (!isNode) throw new RunwardError(`${what} needs Node; use a Blob, a File or a stream here.`);
  const specifier = `node:${name}`;
  return (await import(/* webpackIgnore: true */ /* @vite-ignore */ specifier)) as NodeModules[Name];
}
