import type { EmbeddedPostgres } from '@runward/server/internal/database/embedded/postgres';
import type { LoadProcess } from '../load/load-process.ts';
import type { Seed } from '../seed/seed.ts';
import type { Comparison } from './compare.ts';
import type { Profile } from './profile.ts';

/** What every part works with. */
export interface Bench {
  readonly profile: Profile;
  /** How many runs the parts of large installations seed. */
  readonly runs: number;
  /** Whether services run from the built packages instead of the sources. */
  readonly built: boolean;
  /** The data folder of PostgreSQL and of the services. */
  readonly folder: string;
  readonly postgres: EmbeddedPostgres;
  readonly load: LoadProcess;
  /** Stops everything that the part has started, when the part ends. */
  readonly stack: AsyncDisposableStack;
  /** Writes a line of progress. */
  log(line: string): void;
}

/** With a seeded database. */
export interface SeededBench extends Bench {
  readonly databaseUrl: string;
  readonly seeded: Seed;
}

/** A benchmark with the service running on the seeded database, in production mode. */
export interface ServiceBench extends SeededBench {
  readonly service: Target;
}

/** A server under measurement. */
export interface Target {
  readonly url: string;
  readonly pid: number;
}

/**
 * A part of the benchmark. It declares what it needs: `service`, the running service on the seeded database; `seed`,
 * only the database; or `nothing`. Parts that need the service share it, and its memory is measured.
 */
export type Part =
  | { readonly name: string; readonly needs: 'service'; measure(bench: ServiceBench): Promise<Outcome> }
  | { readonly name: string; readonly needs: 'seed'; measure(bench: SeededBench): Promise<Outcome> }
  | { readonly name: string; readonly needs: 'nothing'; measure(bench: Bench): Promise<Outcome> };

/** What a part has measured. */
export interface Outcome {
  readonly comparisons?: readonly Comparison[];
  readonly figures?: readonly Figure[];
  /** Sentences for the end of the report. */
  readonly notes?: readonly string[];
  /** Further results, for the JSON only. */
  readonly results?: Readonly<Record<string, unknown>>;
}

/** A line of the report. */
export interface Figure {
  /** With its unit. */
  readonly name: string;
  readonly p50?: number;
  readonly p95?: number;
  /** The highest value, or the only one. */
  readonly max?: number;
  /** What it should be, such as `p95 <= 100` or, for `max`, `< 250`. */
  readonly aim?: string;
}
