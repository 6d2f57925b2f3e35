import { randomUUIDv7 } from 'node:crypto';
import { customAlphabet } from 'nanoid';

/** A new id: a UUIDv7, so that ids sort by the time they were made. */
export function newId(): string {
  return randomUUIDv7();
}

/** Digits and capitals without those that look alike. */
const readable = customAlphabet('23456789ABCDEFGHJKMNPQRSTUVWXYZ', 8);

/** A run's id for people, like `RUN-7K3M9QXD`. */
export function newPublicId(): string {
  return `RUN-${readable()}`;
}
