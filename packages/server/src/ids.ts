import { randomUUIDv7 } from 'node:crypto';
import { customAlphabet } from 'nanoid';

/** A new id: a UUIDv7, so ids sort by creation time. */
export function newId(): string {
  return randomUUIDv7();
}

/** A new id for a time: ids of records that are created at different times sort by these times. */
export function newIdAt(time: Date): string {
  return prefixOf(time) + newId().slice(13);
}

/** The lowest id that can have been created at or after a time. */
export function firstIdOf(time: Date): string {
  return `${prefixOf(time)}-7000-8000-000000000000`;
}

/** The part of a UUIDv7 that holds the time in milliseconds. */
function prefixOf(time: Date): string {
  const ms = time.getTime().toString(16).padStart(12, '0');
  return `${ms.slice(0, 8)}-${ms.slice(8)}`;
}

/** Digits and capital letters without look-alikes. */
const readable = customAlphabet('23456789ABCDEFGHJKMNPQRSTUVWXYZ', 8);

/** A new readable id of a run, like `RUN-7K3M9QXD`. */
export function newPublicId(): string {
  return `RUN-${readable()}`;
}
