import { resolve } from 'node:path';
import { z } from 'zod';
import { isTimeZone } from './calendar.ts';

const whole = (least: number, most: number, byDefault: number) =>
  z.coerce.number().int(`must be a whole number from ${least} to ${most}`).min(least).max(most).default(byDefault);

const truth = z
  .enum(['true', 'false'], { error: 'must be true or false' })
  .default('false')
  .transform((value) => value === 'true');

const unitSeconds = { s: 1, m: 60, h: 3600 } as const;

const schedule = z
  .string()
  .default('0s,5s,5m,30m,2h,5h,10h,10h')
  .transform((text) => text.split(',').map((part) => part.trim()))
  .refine((parts) => parts.every((part) => /^\d{1,6}[smh]$/.test(part)), 'must be a list of delays like 0s,5s,5m,2h')
  .transform((parts) =>
    parts.map((part) => Number(part.slice(0, -1)) * unitSeconds[part.slice(-1) as keyof typeof unitSeconds]),
  );

/** What a process does: serve the API, deliver webhooks and run jobs, or both. */
const roles = ['all', 'api', 'worker'] as const;

const environment = z
  .object({
    NODE_ENV: z.string().default('development'),
    DATABASE_URL: z
      .url({ protocol: /^postgres(ql)?$/, error: 'must be a URL like postgres://user:password@host:5432/name' })
      .optional(),
    ROLE: z.enum(roles, { error: `must be ${roles.join(', ')}` }).default('all'),
    JOBS_URL: z
      .string()
      .regex(
        /^mongodb(\+srv)?:\/\/[^\s/?]+/,
        'must be a URL like mongodb://user:password@host:27017/name; omit it to keep the jobs in PostgreSQL',
      )
      .optional(),
    DATA_DIR: z.string().min(1).default('.runward'),
    HOST: z.string().min(1).default('127.0.0.1'),
    PORT: whole(0, 65_535, 3000),
    BASE_URL: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).optional(),
    LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
    RATE_LIMIT_WRITES_PER_MINUTE: whole(1, 10_000_000, 300),
    RATE_LIMIT_READS_PER_MINUTE: whole(1, 10_000_000, 1500),
    RATE_LIMIT_STORE: z
      .enum(['memory', 'postgres', 'redis'], { error: 'must be memory, postgres or redis' })
      .optional(),
    REDIS_URL: z
      .url({ protocol: /^rediss?$/, error: 'must be a URL like redis://user:password@host:6379/0' })
      .optional(),
    TRUST_PROXY: truth,
    WEBHOOK_RETRY_SCHEDULE: schedule,
    WEBHOOK_ALLOW_LOCAL: truth,
    TZ: z.string().optional(),
  })
  .refine((env) => !(env.WEBHOOK_ALLOW_LOCAL && env.NODE_ENV === 'production'), {
    path: ['WEBHOOK_ALLOW_LOCAL'],
    error: 'must not be true with NODE_ENV=production; it lets webhooks reach this machine',
  })
  .refine((env) => env.ROLE === 'all' || env.DATABASE_URL !== undefined, {
    path: ['ROLE'],
    error: 'must be all without DATABASE_URL; the embedded database serves one process',
  })
  .refine((env) => env.RATE_LIMIT_STORE !== 'redis' || env.REDIS_URL !== undefined, {
    path: ['REDIS_URL'],
    error: 'must be set with RATE_LIMIT_STORE=redis; give the URL of the Redis server',
  });

/** Settings of the server; times in seconds. */
export interface Config {
  readonly production: boolean;
  /** `api` serves the API alone; `worker` delivers webhooks and runs jobs, and serves health and metrics alone. */
  readonly role: (typeof roles)[number];
  /** Undefined starts the embedded PostgreSQL in `dataDir`. */
  readonly databaseUrl: string | undefined;
  /** The MongoDB that keeps the jobs; undefined keeps them in PostgreSQL. */
  readonly jobsUrl: string | undefined;
  readonly dataDir: string;
  readonly host: string;
  readonly port: number;
  readonly baseUrl: string | undefined;
  readonly logLevel: string;
  readonly writesPerMinute: number;
  readonly readsPerMinute: number;
  /** `memory` counts in this process alone; `postgres` and `redis` over all processes on one of them. */
  readonly rateLimitStore: 'memory' | 'postgres' | 'redis';
  /** Set where the store is `redis`. */
  readonly redisUrl: string | undefined;
  /** Whether a proxy in front tells the caller's address in X-Forwarded-For. */
  readonly trustProxy: boolean;
  readonly webhookRetrySchedule: readonly number[];
  readonly webhookAllowLocal: boolean;
  /** Time zone of the organization that the first start makes. */
  readonly timeZone: string;
}

/** Reads the environment; throws one error that lists every mistake. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const result = environment.safeParse(env);
  if (!result.success) {
    const problems = result.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
    throw new Error(`Invalid environment variables; correct them and start again:\n${problems.join('\n')}`);
  }
  const { data } = result;
  return {
    production: data.NODE_ENV === 'production',
    role: data.ROLE,
    databaseUrl: data.DATABASE_URL,
    jobsUrl: data.JOBS_URL,
    dataDir: resolve(data.DATA_DIR),
    host: data.HOST,
    port: data.PORT,
    baseUrl: data.BASE_URL?.replace(/\/+$/, ''),
    logLevel: data.LOG_LEVEL,
    writesPerMinute: data.RATE_LIMIT_WRITES_PER_MINUTE,
    readsPerMinute: data.RATE_LIMIT_READS_PER_MINUTE,
    rateLimitStore: data.RATE_LIMIT_STORE ?? defaultStore(data),
    redisUrl: data.REDIS_URL,
    trustProxy: data.TRUST_PROXY,
    webhookRetrySchedule: data.WEBHOOK_RETRY_SCHEDULE,
    webhookAllowLocal: data.WEBHOOK_ALLOW_LOCAL,
    timeZone: isTimeZone(data.TZ) ? data.TZ : 'UTC',
  };
}

function defaultStore(data: { REDIS_URL?: string | undefined; DATABASE_URL?: string | undefined }) {
  if (data.REDIS_URL !== undefined) return 'redis';
  // Nobody else can use the embedded database; one given by its address may serve several processes.
  return data.DATABASE_URL === undefined ? 'memory' : 'postgres';
}
