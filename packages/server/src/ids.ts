import { randomUUIDv7 } from 'node:crypto';
import { customAlphabet } from 'nanoid';

/** A new id: a UUIDv7, so ids sort by creation time. */
export function newId(): string {
  return randomUUIDv7();
}

/** The lowest id that can have been created at or after a time. */
export function firstIdOf(time: Date): string {
  const ms = time.getTime().toString(16).padStart(12, '0');
  return `${ms.slice(0, 8)}-${ms.slice(8)}-7000-8000-000000000000`;
}

/** Digits and capital letters without look-alikes. */
const readable = customAlphabet('23456789ABCDEFGHJKMNPQRSTUVWXYZ', 8);

/** A new readable id of a run, like `RUN-7K3M9QXD`. */
export function newPublicId(): string {
  return `RUN-${readable()}`;
}
