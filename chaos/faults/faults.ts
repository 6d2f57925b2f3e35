import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '@runward/testing/random';
import type { FaultKind, InjectedFault } from '../history/history.ts';

/** A fault that can be injected. */
export interface Fault {
  readonly kind: FaultKind;
  /**
   * The target of the fault. No two faults affect the same target at a time, and no two targets are stopped at a time.
   */
  readonly target: string;
  /** How it is logged. */
  readonly name: string;
  /** Waits for a moment in which it does the most harm. */
  moment?(random: Random): Promise<void>;
  /** Injects the fault. Resolves when the target works again. */
  inject(random: Random): Promise<void>;
}

/** Options for injecting faults. Times are in milliseconds. */
export interface FaultOptions {
  readonly random: Random;
  readonly durationMs: number;
  /** The longest pause between two faults. */
  readonly maxPauseMs: number;
  readonly log: (line: string) => void;
}

/**
 * Injects all faults in random order, round after round, until the duration is over. Once every target works again,
 * returns the injected faults. Throws if a target does not recover.
 */
export async function injectFaults(all: readonly Fault[], options: FaultOptions): Promise<InjectedFault[]> {
  const { random, durationMs, maxPauseMs, log } = options;
  const injected: InjectedFault[] = [];
  const affected = new Set<string>();
  // Processes are restarted one after the other.
  const partsOf = ({ kind, target }: Fault) => (kind === 'stop' ? [target, 'restarts'] : [target]);
  const pending: Promise<void>[] = [];
  const failures: unknown[] = [];

  async function inject(fault: Fault): Promise<void> {
    const { kind, target, name } = fault;
    for (const part of partsOf(fault)) affected.add(part);
    let from = Date.now();
    try {
      await fault.moment?.(random);
      from = Date.now();
      log(name);
      await fault.inject(random);
    } catch (error) {
      failures.push(error);
    }
    injected.push({ kind, target, name, from, to: Date.now() });
    for (const part of partsOf(fault)) affected.delete(part);
  }

  let left: Fault[] = [];
  for (const deadline = Date.now() + durationMs; ;) {
    await pause(random.between(maxPauseMs / 6, maxPauseMs));
    if (Date.now() > deadline || failures.length > 0) break;
    if (left.length === 0) left = random.shuffle(all);
    const next = left.find((fault) => partsOf(fault).every((part) => !affected.has(part)));
    if (!next) continue;
    left = left.filter((other) => other !== next);
    pending.push(inject(next));
  }
  await Promise.all(pending);
  if (failures.length > 0) throw new AggregateError(failures, 'A target did not recover from a fault.');
  return injected;
}
