import { spaceOf, type Space } from '../../database/health/disk-space.ts';
import { Problem, Warning } from '../part.ts';
import type { DataContext } from './context.ts';
import { inBytes } from './in-bytes.ts';
import { readStorage } from './queries/read-server.ts';

const leastBytes = 100e6;
const warnBytes = 1e9;
const warnShare = 0.05;

/** Checks the free space of the disks of the data folder and, if it is on this machine, of the database. */
export async function checkDisks({ config, read }: DataContext): Promise<string> {
  const [storage] = await read((em) => readStorage(em));
  const { bytes = 0, folder = null } = storage ?? {};
  const ofData = judgeSpace('the disk of DATA_DIR', await spaceOf(config.dataDir));
  // A folder of the same path may be that of another machine, or may be closed to the user of the service.
  const space = folder === null ? null : await spaceOf(folder).catch(() => null);
  const ofDatabase = space === null ? 'on a disk that is not visible from here' : judgeSpace('its disk', space);
  return `${ofData}; the database has ${inBytes(bytes)}, ${ofDatabase}`;
}

/** Says how much of a disk is free. Throws if it is too little. */
export function judgeSpace(disk: string, { free, total }: Space): string {
  const what = `${disk} has ${inBytes(free)} of ${inBytes(total)} free`;
  const remedy = 'delete what is not needed, or enlarge the disk';
  if (free < leastBytes) throw new Problem(what, remedy);
  if (free < warnBytes || free < total * warnShare) throw new Warning(what, remedy);
  return what;
}
