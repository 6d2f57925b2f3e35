import { readdir, readFile } from 'node:fs/promises';
import { peakMemoryKb } from '@runward/testing/measuring/peak-memory';

/** A clock tick in `/proc` in seconds, the same on every Linux. */
const tick = 0.01;
const sampleMs = 1_000;

/** The CPU time of a process and its children in seconds. Null without `/proc`. */
export async function cpuSeconds(pid: number): Promise<number | null> {
  const all = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(all.map((name) => readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')));
  let ticks: number | null = null;
  for (const [index, stat] of stats.entries()) {
    // The program name in parentheses may itself contain spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [parent = 0, user = 0, system = 0, userOfEnded = 0, systemOfEnded = 0] = [1, 11, 12, 13, 14].map((place) =>
      Number(fields[place]),
    );
    const isItself = Number(all[index]) === pid;
    if (isItself || parent === pid) ticks = (ticks ?? 0) + user + system;
    // PostgreSQL ends a backend when its connection closes, so the CPU time of ended children counts, too.
    if (isItself) ticks = (ticks ?? 0) + userOfEnded + systemOfEnded;
  }
  return ticks === null ? null : ticks * tick;
}

/** Watches the resident memory of a process. `stop` returns the peak in MB. */
export function watchMemory(pid: number): { stop(): Promise<number> } {
  let peak = 0;
  const sample = async () => {
    peak = Math.max(peak, await peakMemoryKb(pid).catch(() => 0));
  };
  const timer = setInterval(() => void sample(), sampleMs);
  return {
    stop: async () => {
      clearInterval(timer);
      await sample();
      return peak / 1024;
    },
  };
}
