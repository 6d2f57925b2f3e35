import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** The most resident memory that a process has had, in kilobytes. Without `/proc`: what it has now. */
export async function peakMemoryKb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  // The kernel keeps the peak, so that no sample can miss it.
  const peakKb = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
  if (peakKb !== undefined) return Number(peakKb);
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)]);
  return Number(stdout);
}
