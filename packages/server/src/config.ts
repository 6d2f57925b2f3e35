import { resolve } from 'node:path';
import type { Limits } from '@runward/contract';
import { isTimeZone } from './calendar.ts';
import type { TrustedProxies } from './client-address.ts';
import { environment, isEmbedded, isSecret, limitsOf, secretNames, variableNames, type roles } from './environment.ts';
import type { MailSender } from './mail-sender.ts';
import { inSchema } from './settings/database-schema.ts';
import { misspelled } from './settings/misspelled.ts';
import { withoutPreparedStatements } from './settings/prepared-statements.ts';
import { fileVariable, readSecretFiles } from './settings/secret-files.ts';
import { tracingOf, type TracingSettings } from './settings/tracing.ts';
import { isProviderVariable, readProviders, type SignInSettings } from './sign-in-settings.ts';

/** A key for a bucket. */
export interface FilesKey {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** Settings of the server; times in seconds. */
export interface Config {
  readonly production: boolean;
  /** `api` serves only the API; `worker` delivers webhooks, runs jobs, and serves only health and metrics. */
  readonly role: (typeof roles)[number];
  /** If undefined, the embedded PostgreSQL is started in `dataDir`. */
  readonly databaseUrl: string | undefined;
  /** URL of a replica of that database; if undefined, everything is read from `databaseUrl`. */
  readonly databaseReadUrl: string | undefined;
  /** The database that the administration moves organizations to, if it is not `databaseUrl`. */
  readonly targetDatabaseUrl: string | undefined;
  /** The schema with all tables. In `databaseUrl` and `databaseReadUrl` it is the search path. */
  readonly databaseSchema: string;
  /** How many connections requests and jobs use at most, and as many at the replica. */
  readonly databasePoolSize: number;
  /**
   * The TCP port of 127.0.0.1 on which the embedded PostgreSQL also listens, besides its socket; if undefined, on none.
   */
  readonly postgresPort: number | undefined;
  /** URL of the MongoDB that stores the jobs; if undefined, PostgreSQL does. */
  readonly jobsUrl: string | undefined;
  readonly dataDir: string;
  /** The bucket that stores files; if undefined, `dataDir` does. */
  readonly filesUrl: string | undefined;
  /** The key for that bucket; if undefined, the tools of AWS find one themselves. */
  readonly filesKey: FilesKey | undefined;
  /** Address of the virus scanner; if undefined, files are not scanned. */
  readonly clamavUrl: string | undefined;
  /** A folder with fonts for PDFs, in addition to those of `@runward/pdf` and `@runward/fonts-cjk`. */
  readonly fontsDir: string | undefined;
  readonly host: string;
  readonly port: number;
  /** The port for the metrics and health; if undefined, the metrics are served on `port`. */
  readonly metricsPort: number | undefined;
  /** What callers of the metrics send as a bearer token; if undefined, anyone may read them. */
  readonly metricsToken: string | undefined;
  readonly baseUrl: string | undefined;
  /** Whether responses are compressed. */
  readonly compression: boolean;
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
  /**
   * The mail server, who mails come from, and how long a mail waits for further changes; if undefined, no mail is sent.
   */
  readonly mail: { readonly url: string; readonly from: MailSender; readonly delaySeconds: number } | undefined;
  readonly signIn: SignInSettings;
  /** Where traces are sent, and which; if undefined, none are made. */
  readonly tracing: TracingSettings | undefined;
  /** Whether the service migrates its database when it starts. If not, it starts only on a migrated one. */
  readonly migrateOnStart: boolean;
  /** Time zone of the organization that is created at the first start. */
  readonly timeZone: string;
  readonly limits: Limits;
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
 * Reads the environment, and the files that it names for secrets. Throws a `ConfigError` that lists every invalid
 * variable, and every unknown one that resembles a variable of the service, or the problems with files alone.
 */
export function readConfig(given: Readonly<Record<string, string | undefined>>): Config {
  const { env, files, problems: ofFiles } = readSecretFiles(given, isSecret);
  // Without the value of a secret, others of its settings would seem to be wrong.
  if (ofFiles.length > 0) throw new ConfigError(ofFiles);
  const originOf = (name: string) => (files.has(name) ? ` (read from ${files.get(name)})` : '');
  const result = environment.safeParse(env);
  const { providers, problems: ofProviders } = readProviders(env);
  const names = Object.keys(env).filter((name) => !isProviderVariable(name));
  const problems = [
    ...(result.error?.issues ?? []).map(
      (issue) => `${issue.path.join('.')}: ${issue.message}${originOf(issue.path.join('.'))}`,
    ),
    ...ofProviders,
    ...(result.success ? signInProblems(result.data, ofProviders.length + providers.length > 0) : []),
    ...misspelled(names, [...variableNames, ...secretNames.map(fileVariable)]).map(
      ([name, known]) => `${name}: unknown; did you mean ${known}?`,
    ),
  ];
  if (!result.success || problems.length > 0) throw new ConfigError(problems);
  const { data } = result;
  return {
    production: data.NODE_ENV === 'production',
    role: data.ROLE,
    databaseUrl: isEmbedded(data) ? undefined : connectionUrl(data.DATABASE_URL, data),
    databaseReadUrl: connectionUrl(data.DATABASE_READ_URL, data),
    targetDatabaseUrl: data.TARGET_DATABASE_URL,
    databaseSchema: data.DATABASE_SCHEMA,
    databasePoolSize: data.DATABASE_POOL_SIZE,
    postgresPort: data.POSTGRES_PORT,
    jobsUrl: data.JOBS_URL,
    dataDir: resolve(data.DATA_DIR),
    filesUrl: data.FILES_URL,
    filesKey: filesKeyOf(data),
    clamavUrl: data.CLAMAV_URL,
    fontsDir: data.FONTS_DIR === undefined ? undefined : resolve(data.FONTS_DIR),
    host: data.HOST,
    port: data.PORT,
    metricsPort: data.METRICS_PORT,
    metricsToken: data.METRICS_TOKEN,
    baseUrl: data.BASE_URL?.replace(/\/+$/, ''),
    compression: data.COMPRESSION,
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
    tracing: tracingOf(data),
    migrateOnStart: data.MIGRATE_ON_START,
    timeZone: isTimeZone(data.TZ) ? data.TZ : 'UTC',
    limits: limitsWithin(data.DATABASE_POOL_SIZE, limitsOf(data)),
  };
}

/** The URL of a database with what connections must know of the other settings. */
function connectionUrl(
  url: string | undefined,
  settings: { readonly DATABASE_SCHEMA: string; readonly DATABASE_PREPARED_STATEMENTS: boolean },
): string | undefined {
  if (url === undefined) return undefined;
  return inSchema(
    settings.DATABASE_PREPARED_STATEMENTS ? url : withoutPreparedStatements(url),
    settings.DATABASE_SCHEMA,
  );
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

function filesKeyOf(data: {
  AWS_ACCESS_KEY_ID?: string | undefined;
  AWS_SECRET_ACCESS_KEY?: string | undefined;
  AWS_SESSION_TOKEN?: string | undefined;
}): FilesKey | undefined {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN: token } = data;
  return accessKeyId && secretAccessKey
    ? { accessKeyId, secretAccessKey, ...(token && { sessionToken: token }) }
    : undefined;
}

function defaultStore(data: { REDIS_URL?: string | undefined; DATABASE_URL?: string | undefined }) {
  if (data.REDIS_URL !== undefined) return 'redis';
  // The embedded database serves one process; a database that is configured by URL may serve several.
  return isEmbedded(data) ? 'memory' : 'postgres';
}

/**
 * Limits with which an organization leaves a connection to others: it uses one for each request in work, and one more
 * for its large requests.
 */
function limitsWithin(poolSize: number, limits: Limits): Limits {
  return { ...limits, requestsInWork: Math.min(limits.requestsInWork, Math.max(1, poolSize - 2)) };
}
