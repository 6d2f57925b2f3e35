import { resolve } from 'node:path';
import { limits, limitVariable, type LimitName, type Limits } from '@runward/contract';
import { z } from 'zod';
import { isTimeZone } from './calendar.ts';
import type { TrustedProxies } from './client-address.ts';
import { mailSender, type MailSender } from './mail-sender.ts';
import { misspelled } from './misspelled.ts';
import { boolean, integer, proxies, schedule } from './setting-values.ts';
import { isProviderVariable, providerVariables, readProviders, type SignInSettings } from './sign-in-settings.ts';

/** What a process does: serves the API (`api`), delivers webhooks and runs jobs (`worker`), or both (`all`). */
const roles = ['all', 'api', 'worker'] as const;

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const limitNames = Object.keys(limits) as LimitName[];

/** A variable for each limit of the contract. */
const limitVariables = Object.fromEntries(
  limitNames.map((name) => [limitVariable(name), integer(1, 1_000_000_000).default(limits[name].default)]),
);

/** Whether the PostgreSQL that ships with the service is the database. */
const isEmbedded = (env: { DATABASE_URL?: string | undefined }) =>
  env.DATABASE_URL === undefined || env.DATABASE_URL === 'embedded';

const environment = z
  .object({
    NODE_ENV: z.string().default('development'),
    DATABASE_URL: z
      .url({
        protocol: /^postgres(ql)?$/,
        error: 'must be a URL like postgres://user:password@host:5432/name, or embedded',
      })
      .or(z.literal('embedded'))
      .optional(),
    POSTGRES_PORT: z.preprocess(withoutServiceLink, integer(1, 65_535).optional()),
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
    PORT: integer(0, 65_535).default(3000),
    FILES_URL: z
      .string()
      .regex(
        /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](?:\?(?:(?:endpoint=https?:\/\/[^&\s]+|region=[\w-]+)(?:&|$))+)?$/,
        'must be a URL like s3://bucket?endpoint=https://s3.example.com&region=eu-west-1; omit it to keep files in DATA_DIR',
      )
      .optional(),
    CLAMAV_URL: z
      .string()
      .regex(
        /^(?:tcp:\/\/[^\s/:]+(?::\d{1,5})?|tcp:\/\/\[[0-9a-f:]+\](?::\d{1,5})?|unix:\/\/\/[^\s]+)$/,
        'must be a URL like tcp://127.0.0.1:3310 or unix:///run/clamav/clamd.ctl; omit it to serve files unscanned',
      )
      .optional(),
    FONTS_DIR: z.string().min(1).optional(),
    BASE_URL: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).optional(),
    LOG_LEVEL: z.enum(logLevels, { error: `must be ${logLevels.join(', ')}` }).default('info'),
    RATE_LIMIT_WRITES_PER_MINUTE: integer(1, 10_000_000).default(300),
    RATE_LIMIT_READS_PER_MINUTE: integer(1, 10_000_000).default(1500),
    RATE_LIMIT_STORE: z
      .enum(['memory', 'postgres', 'redis'], { error: 'must be memory, postgres or redis' })
      .optional(),
    REDIS_URL: z
      .url({ protocol: /^rediss?$/, error: 'must be a URL like redis://user:password@host:6379/0' })
      .optional(),
    TRUST_PROXY: proxies,
    WEBHOOK_RETRY_SCHEDULE: schedule,
    WEBHOOK_ALLOW_LOCAL: boolean(),
    SMTP_URL: z
      .string()
      .regex(
        /^smtps?:\/\/[^\s/?#]+/,
        'must be a URL like smtps://user:password@mail.example.com; omit it to send no mail',
      )
      .optional(),
    MAIL_FROM: mailSender.optional(),
    MAIL_DELAY_SECONDS: integer(0, 3_600).default(120),
    PASSWORD_SIGN_IN: boolean('true'),
    TZ: z.string().optional(),
    ...limitVariables,
  })
  .refine((env) => !(env.WEBHOOK_ALLOW_LOCAL && env.NODE_ENV === 'production'), {
    path: ['WEBHOOK_ALLOW_LOCAL'],
    error: 'must not be true with NODE_ENV=production; it lets webhooks reach this machine',
  })
  .refine((env) => env.DATABASE_URL !== undefined || env.NODE_ENV !== 'production', {
    path: ['DATABASE_URL'],
    error:
      'must be set with NODE_ENV=production, to the URL of a PostgreSQL, or to embedded to use the PostgreSQL that ships with the service',
  })
  .refine((env) => env.POSTGRES_PORT === undefined || isEmbedded(env), {
    path: ['POSTGRES_PORT'],
    error: 'must not be set together with the URL of a database; it is a port of the embedded database',
  })
  .refine((env) => env.ROLE === 'all' || !isEmbedded(env), {
    path: ['ROLE'],
    error:
      'must be all with the embedded database, which serves one process; set DATABASE_URL to the URL of a PostgreSQL',
  })
  .refine((env) => env.RATE_LIMIT_STORE !== 'redis' || env.REDIS_URL !== undefined, {
    path: ['REDIS_URL'],
    error: 'must be set with RATE_LIMIT_STORE=redis; give the URL of the Redis server',
  })
  .refine((env) => (env.SMTP_URL === undefined) === (env.MAIL_FROM === undefined), {
    path: ['SMTP_URL'],
    error: 'must be set together with MAIL_FROM, or neither; set both to send mail',
  });

/** The names of all environment variables that the service reads as settings. */
export const variableNames: readonly string[] = [...Object.keys(environment.shape), ...providerVariables];

/** Settings of the server; times in seconds. */
export interface Config {
  readonly production: boolean;
  /** `api` serves only the API; `worker` delivers webhooks, runs jobs, and serves only health and metrics. */
  readonly role: (typeof roles)[number];
  /** If undefined, the embedded PostgreSQL is started in `dataDir`. */
  readonly databaseUrl: string | undefined;
  /**
   * The TCP port of 127.0.0.1 on which the embedded PostgreSQL also listens, besides its socket; if undefined, on none.
   */
  readonly postgresPort: number | undefined;
  /** URL of the MongoDB that stores the jobs; if undefined, PostgreSQL does. */
  readonly jobsUrl: string | undefined;
  readonly dataDir: string;
  /** The bucket that stores files; if undefined, `dataDir` does. */
  readonly filesUrl: string | undefined;
  /** Address of the virus scanner; if undefined, files are not scanned. */
  readonly clamavUrl: string | undefined;
  /** A folder with fonts for PDFs, in addition to those that ship with the service. */
  readonly fontsDir: string | undefined;
  readonly host: string;
  readonly port: number;
  readonly baseUrl: string | undefined;
  readonly logLevel: string;
  readonly writesPerMinute: number;
  readonly readsPerMinute: number;
  /** `memory` counts in this process only; `postgres` and `redis` count across all processes that share the store. */
  readonly rateLimitStore: 'memory' | 'postgres' | 'redis';
  /** Defined if the store is `redis`. */
  readonly redisUrl: string | undefined;
  /** The proxies whose entries in `X-Forwarded-For` count. */
  readonly trustedProxies: TrustedProxies;
  readonly webhookRetrySchedule: readonly number[];
  readonly webhookAllowLocal: boolean;
  /** The mail server, who mails come from, and how long a mail waits for further changes; if undefined, no mail is sent. */
  readonly mail: { readonly url: string; readonly from: MailSender; readonly delaySeconds: number } | undefined;
  readonly signIn: SignInSettings;
  /** Time zone of the organization that is created at the first start. */
  readonly timeZone: string;
  readonly limits: Limits;
}

/** Kubernetes sets `POSTGRES_PORT` to an address like `tcp://10.0.0.1:5432` if a service is called `postgres`. */
function withoutServiceLink(value: unknown): unknown {
  return typeof value === 'string' && value.startsWith('tcp://') ? undefined : value;
}

/** The environment does not configure the service. The message explains how to correct it. */
export class ConfigError extends Error {
  /** What is wrong, each with the name of the variable. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    const list = problems.map((problem) => `  ${problem}`).join('\n');
    super(`Invalid environment variables; correct them and start again:\n${list}`);
    this.problems = problems;
  }
}

/**
 * Reads the environment. Throws a `ConfigError` that lists every invalid variable, and every unknown one that resembles
 * a variable of the service.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const result = environment.safeParse(env);
  const { providers, problems: ofProviders } = readProviders(env);
  const names = Object.keys(env).filter((name) => !isProviderVariable(name));
  const problems = [
    ...(result.error?.issues ?? []).map((issue) => `${issue.path.join('.')}: ${issue.message}`),
    ...ofProviders,
    ...(result.success ? signInProblems(result.data, ofProviders.length + providers.length > 0) : []),
    ...misspelled(names, variableNames).map(([name, known]) => `${name}: unknown; did you mean ${known}?`),
  ];
  if (!result.success || problems.length > 0) throw new ConfigError(problems);
  const { data } = result;
  return {
    production: data.NODE_ENV === 'production',
    role: data.ROLE,
    databaseUrl: isEmbedded(data) ? undefined : data.DATABASE_URL,
    postgresPort: data.POSTGRES_PORT,
    jobsUrl: data.JOBS_URL,
    dataDir: resolve(data.DATA_DIR),
    filesUrl: data.FILES_URL,
    clamavUrl: data.CLAMAV_URL,
    fontsDir: data.FONTS_DIR === undefined ? undefined : resolve(data.FONTS_DIR),
    host: data.HOST,
    port: data.PORT,
    baseUrl: data.BASE_URL?.replace(/\/+$/, ''),
    logLevel: data.LOG_LEVEL,
    writesPerMinute: data.RATE_LIMIT_WRITES_PER_MINUTE,
    readsPerMinute: data.RATE_LIMIT_READS_PER_MINUTE,
    rateLimitStore: data.RATE_LIMIT_STORE ?? defaultStore(data),
    redisUrl: data.REDIS_URL,
    trustedProxies: data.TRUST_PROXY,
    webhookRetrySchedule: data.WEBHOOK_RETRY_SCHEDULE,
    webhookAllowLocal: data.WEBHOOK_ALLOW_LOCAL,
    mail:
      data.SMTP_URL !== undefined && data.MAIL_FROM
        ? { url: data.SMTP_URL, from: data.MAIL_FROM, delaySeconds: data.MAIL_DELAY_SECONDS }
        : undefined,
    signIn: { byPassword: data.PASSWORD_SIGN_IN, providers },
    timeZone: isTimeZone(data.TZ) ? data.TZ : 'UTC',
    limits: limitsOf(data),
  };
}

function signInProblems(
  { BASE_URL, PASSWORD_SIGN_IN }: { BASE_URL?: string | undefined; PASSWORD_SIGN_IN: boolean },
  hasProvider: boolean,
): string[] {
  if (hasProvider && BASE_URL === undefined)
    return ['BASE_URL: must be set with a provider of OpenID Connect, which sends browsers back to this URL'];
  if (!hasProvider && !PASSWORD_SIGN_IN)
    return ['PASSWORD_SIGN_IN: must not be false without a provider of OpenID Connect; set OIDC_ISSUER'];
  return [];
}

function limitsOf(data: object): Limits {
  const values = data as Readonly<Record<string, number>>;
  return Object.fromEntries(limitNames.map((name) => [name, values[limitVariable(name)]])) as unknown as Limits;
}

function defaultStore(data: { REDIS_URL?: string | undefined; DATABASE_URL?: string | undefined }) {
  if (data.REDIS_URL !== undefined) return 'redis';
  // The embedded database serves one process; a database that is configured by URL may serve several.
  return isEmbedded(data) ? 'memory' : 'postgres';
}
