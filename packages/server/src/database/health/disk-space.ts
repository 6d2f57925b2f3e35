import { statfs } from 'node:fs/promises';
import type { Database } from '../database.ts';
import { isOutOfSpace } from '../errors.ts';
import { runStatement } from '../statement.ts';
import { inTransaction } from '../transaction.ts';

/** Reports whether the disks that a process writes to are full. */
export interface DiskSpace {
  /** To be called when PostgreSQL reports that its disk is full. */
  onFullDisk(): void;
  /** Which disk is full, as a clause; null if none is full. */
  whyNotReady(database: Database): Promise<string | null>;
}

/** The space of a disk, in bytes. */
export interface Space {
  readonly free: number;
  readonly total: number;
}

/** The space of the disk that has a file or folder, as far as this process may use it. */
export async function spaceOf(path: string): Promise<Space> {
  const { bavail, blocks, bsize } = await statfs(path);
  return { free: bavail * bsize, total: blocks * bsize };
}

/** A disk with less free space than this counts as full, because hardly any file can be written. */
const minimumBytes = 1_000_000;

/** Allocates a megabyte in the database files, and releases it. */
const probe = `create temporary table disk_space on commit drop as
  select repeat('x', 1000) as text from generate_series(1, 1000)`;

/**
 * Watches the disk of a folder, and the disk of PostgreSQL, which may be on another machine. After that disk was full,
 * writing is tried until it succeeds.
 */
export function watchDiskSpace(folder: string): DiskSpace {
  let wasFull = false;
  return {
    onFullDisk: () => {
      wasFull = true;
    },
    whyNotReady: async (database) => {
      if ((await spaceOf(folder)).free < minimumBytes) return 'the disk of DATA_DIR is full';
      if (!wasFull) return null;
      wasFull = await inTransaction(database, (em) => runStatement(em, probe, [])).then(() => false, isOutOfSpace);
      return wasFull ? 'the disk of the database is full' : null;
    },
  };
}
