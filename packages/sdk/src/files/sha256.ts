import { isNode, nodeModule } from './node-module.ts';

/** A SHA-256 in progress. */
export interface Sha256 {
  update(part: Uint8Array): unknown;
  /** Ends it. In lowercase hexadecimal digits. */
  hex(): string;
}

/**
 * Starts a SHA-256. `native` means that Node computes it, which is faster. Browsers have no SHA-256 that takes its
 * input in parts.
 */
export async function newSha256(native = isNode): Promise<Sha256> {
  if (native) {
    const hash = (await nodeModule('crypto', 'This SHA-256')).createHash('sha256');
    return { update: (part) => hash.update(part), hex: () => hash.digest('hex') };
  }
  const { sha256 } = await import('@noble/hashes/sha2.js');
  const hash = sha256.create();
  return {
    update: (part) => hash.update(part),
    hex: () => Array.from(hash.digest(), (byte) => byte.toString(16).padStart(2, '0')).join(''),
  };
}
