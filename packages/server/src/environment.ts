import { limits, limitVariable, type LimitName, type Limits } from '@runward/contract';
import { z } from 'zod';
import { mailSender } from './mail-sender.ts';
import { boolean, integer, postgresUrl, proxies, schedule, text } from './setting-values.ts';
import { defaultSchema, schemaPattern, schemaRule } from './settings/database-schema.ts';
import { secret, secretsOf } from './settings/secret-files.ts';
import { tracingValues } from './settings/tracing.ts';
import { isProviderSecret, providerSecrets, providerVariables } from './sign-in-settings.ts';

/** What a process does: serves the API (`api`), delivers webhooks and runs jobs (`worker`), or both (`all`). */
export const roles = ['all', 'api', 'worker'] as const;

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const limitNames = Object.keys(limits) as LimitName[];

/** A variable for each limit of the contract. */
const limitVariables = Object.fromEntries(
  limitNames.map((name) => [limitVariable(name), integer(1, 1_000_000_000).default(limits[name].default)]),
);

/** Whether the PostgreSQL that the service starts itself is the database. */
export const isEmbedded = (env: { DATABASE_URL?: string | undefined }) =>
  env.DATABASE_URL === undefined || env.DATABASE_URL === 'embedded';

/** All variables but those of providers. */
export const environment = z
  .object({
    NODE_ENV: z
      .enum(['production', 'development', 'test'], { error: 'must be production, development or test' })
      .default('development'),
    DATABASE_URL: secret(
      postgresUrl('must be a URL like postgres://user:password@host:5432/name, or embedded')
        .or(z.literal('embedded'))
        .optional(),
    ),
    DATABASE_SCHEMA: z
      .string()
      .regex(schemaPattern, `must be the name of a schema in PostgreSQL: ${schemaRule}`)
      .default(defaultSchema),
    DATABASE_PREPARED_STATEMENTS: boolean('true'),
    DATABASE_POOL_SIZE: integer(2, 1_000).default(10),
    DATABASE_READ_URL: secret(
      postgresUrl(
        'must be a URL like postgres://user:password@replica:5432/name; omit it to read from DATABASE_URL',
      ).optional(),
    ),
    TARGET_DATABASE_URL: secret(
      postgresUrl(
        'must be a URL like postgres://user:password@host:5432/name; omit it to move within DATABASE_URL',
      ).optional(),
    ),
    POSTGRES_PORT: z.preprocess(withoutServiceLink, integer(1, 65_535).optional()),
    ROLE: z.enum(roles, { error: `must be ${roles.join(', ')}` }).default('all'),
    JOBS_URL: secret(
      z
        .string()
        .regex(
          /^mongodb(\+srv)?:\/\/[^\s/?]+/,
          'must be a URL like mongodb://user:password@host:27017/name; omit it to keep the jobs in PostgreSQL',
        )
        .optional(),
    ),
    DATA_DIR: text.default('.runward'),
    HOST: text.default('127.0.0.1'),
    PORT: integer(0, 65_535).default(3000),
    METRICS_PORT: z.preprocess(withoutServiceLink, integer(1, 65_535).optional()),
    METRICS_TOKEN: secret(
      z
        .string()
        .regex(
          /^[\x21-\x7e]{16,}$/,
          'must be at least 16 letters, digits and signs without spaces; make one with: openssl rand -hex 32',
        )
        .optional(),
    ),
    FILES_URL: z
      .string()
      .regex(
        /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](?:\?(?:(?:endpoint=https?:\/\/[^&\s]+|region=[\w-]+)(?:&|$))+)?$/,
        'must be a URL like s3://bucket?endpoint=https://s3.example.com&region=eu-west-1; omit it to keep files in DATA_DIR',
      )
      .optional(),
    AWS_ACCESS_KEY_ID: z.string().optional(),
    AWS_SECRET_ACCESS_KEY: secret(z.string().optional()),
    AWS_SESSION_TOKEN: secret(z.string().optional()),
    CLAMAV_URL: z
      .string()
      .regex(
        /^(?:tcp:\/\/[^\s/:]+(?::\d{1,5})?|tcp:\/\/\[[0-9a-f:]+\](?::\d{1,5})?|unix:\/\/\/[^\s]+)$/,
        'must be a URL like tcp://127.0.0.1:3310 or unix:///run/clamav/clamd.ctl; omit it to serve files unscanned',
      )
      .optional(),
    FONTS_DIR: text.optional(),
    BASE_URL: z
      .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
      .regex(/^[^@?#]*$/, 'must be a URL without a user and a query, because paths are added to it')
      .optional(),
    COMPRESSION: boolean('true'),
    LOG_LEVEL: z.enum(logLevels, { error: `must be ${logLevels.join(', ')}` }).default('info'),
    RATE_LIMIT_WRITES_PER_MINUTE: integer(1, 10_000_000).default(300),
    RATE_LIMIT_READS_PER_MINUTE: integer(1, 10_000_000).default(1500),
    RATE_LIMIT_STORE: z
      .enum(['memory', 'postgres', 'redis'], { error: 'must be memory, postgres or redis' })
      .optional(),
    REDIS_URL: secret(
      z.url({ protocol: /^rediss?$/, error: 'must be a URL like redis://user:password@host:6379/0' }).optional(),
    ),
    TRUST_PROXY: proxies,
    WEBHOOK_RETRY_SCHEDULE: schedule,
    WEBHOOK_ALLOW_LOCAL: boolean(),
    SMTP_URL: secret(
      z
        .string()
        .regex(
          /^smtps?:\/\/[^\s/?#]+/,
          'must be a URL like smtps://user:password@mail.example.com; omit it to send no mail',
        )
        .optional(),
    ),
    MAIL_FROM: mailSender.optional(),
    MAIL_DELAY_SECONDS: integer(0, 3_600).default(120),
    PASSWORD_SIGN_IN: boolean('true'),
    OTEL_EXPORTER_OTLP_ENDPOINT: tracingValues.endpoint,
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: tracingValues.endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: secret(tracingValues.headers),
    OTEL_SERVICE_NAME: tracingValues.serviceName,
    OTEL_TRACES_SAMPLER: tracingValues.sampler,
    OTEL_TRACES_SAMPLER_ARG: tracingValues.ratio,
    MIGRATE_ON_START: boolean('true'),
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
      'must be set with NODE_ENV=production, to the URL of a PostgreSQL, or to embedded to use the PostgreSQL of @runward/embedded-postgres',
  })
  .refine((env) => env.POSTGRES_PORT === undefined || isEmbedded(env), {
    path: ['POSTGRES_PORT'],
    error: 'must not be set together with the URL of a database; it is a port of the embedded database',
  })
  .refine((env) => env.DATABASE_READ_URL === undefined || !isEmbedded(env), {
    path: ['DATABASE_READ_URL'],
    error:
      'must not be set with the embedded database, which has no replica; set DATABASE_URL to the URL of the primary',
  })
  .refine((env) => env.METRICS_PORT !== env.PORT, {
    path: ['METRICS_PORT'],
    error: 'must differ from PORT; omit it to serve the metrics there',
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
  .refine((env) => env.FILES_URL === undefined || !env.AWS_SECRET_ACCESS_KEY || env.AWS_ACCESS_KEY_ID, {
    path: ['AWS_ACCESS_KEY_ID'],
    error: 'must be set together with AWS_SECRET_ACCESS_KEY; give the id of that key',
  })
  .refine((env) => (env.SMTP_URL === undefined) === (env.MAIL_FROM === undefined), {
    path: ['SMTP_URL'],
    error: 'must be set together with MAIL_FROM, or neither; set both to send mail',
  });

/** The names of all environment variables that the service reads as settings. */
export const variableNames: readonly string[] = [...Object.keys(environment.shape), ...providerVariables];

const ownSecrets = secretsOf(environment.shape);

/** Those of them that are secrets, whose values can be in files. */
export const secretNames: readonly string[] = [...ownSecrets, ...providerSecrets];

/** Whether a variable is a secret, also one of a further provider. */
export const isSecret = (name: string) => ownSecrets.includes(name) || isProviderSecret(name);

/**
 * Kubernetes sets `POSTGRES_PORT` to an address like `tcp://10.0.0.1:5432` if a service is called `postgres`, and so
 * on.
 */
function withoutServiceLink(value: unknown): unknown {
  return typeof value === 'string' && value.startsWith('tcp://') ? undefined : value;
}

/** The limits in a parsed environment. */
export function limitsOf(data: object): Limits {
  const values = data as Readonly<Record<string, number>>;
  return Object.fromEntries(limitNames.map((name) => [name, values[limitVariable(name)]])) as unknown as Limits;
}
