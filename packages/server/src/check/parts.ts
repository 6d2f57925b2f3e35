import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createProviderHttp } from '../adapters/openid/provider-fetch.ts';
import { cjkPackage, findPdfPackages, pdfPackage } from '../adapters/pdf-packages.ts';
import { verifySmtp } from '../adapters/smtp.ts';
import type { Config } from '../config.ts';
import { issuerVariable, type ProviderSettings } from '../sign-in-settings.ts';
import { checkClamd } from './clamd.ts';
import { checkDatabase } from './database.ts';
import { checkFolder } from './folder.ts';
import { Problem, remedies, type Finding, type Part } from './part.ts';
import { checkReplica } from './replica.ts';
import { checkMongo, checkRedis } from './stores.ts';
import { checkTraces } from './traces.ts';

/** What the settings ask for, and what they leave out, in the order of the output. */
export async function partsOf(config: Config): Promise<readonly (Part | Finding)[]> {
  const { dataDir, jobsUrl, redisUrl, rateLimitStore, mail, clamavUrl, tracing } = config;
  return [
    {
      name: 'database',
      setting: config.databaseUrl === undefined ? 'DATA_DIR' : 'DATABASE_URL',
      remedy: remedies.database,
      look: () => checkDatabase(config),
    },
    replicaOf(config),
    {
      name: 'data folder',
      setting: 'DATA_DIR',
      remedy: remedies.dataFolder,
      look: () => checkFolder(dataDir),
    },
    filesOf(config),
    await pdfOf(config),
    jobsUrl === undefined
      ? off('jobs', 'JOBS_URL is not set; the scheduler keeps its rows in the database')
      : {
          name: 'jobs',
          setting: 'JOBS_URL',
          remedy: 'check its hosts, user and password, and that MongoDB is running',
          look: () => checkMongo(jobsUrl),
        },
    redisUrl === undefined || rateLimitStore !== 'redis'
      ? off('rate limits', `RATE_LIMIT_STORE is ${rateLimitStore}; no Redis is used`)
      : {
          name: 'rate limits',
          setting: 'REDIS_URL',
          remedy: 'check its host, port and password, and that Redis is running',
          look: () => checkRedis(redisUrl),
        },
    mail === undefined
      ? off('mail', 'SMTP_URL is not set; no mail is sent')
      : {
          name: 'mail',
          setting: 'SMTP_URL',
          remedy: 'check its host, port, user and password, and smtps: for TLS from the first byte or smtp: without',
          look: () => verifySmtp(mail),
        },
    clamavUrl === undefined
      ? off('virus scanner', 'CLAMAV_URL is not set; files are not scanned')
      : {
          name: 'virus scanner',
          setting: 'CLAMAV_URL',
          remedy: 'check its host and port or its path, and that clamd is running',
          look: () => checkClamd(clamavUrl),
        },
    tracing === undefined
      ? off('traces', 'OTEL_EXPORTER_OTLP_ENDPOINT is not set; no traces are exported')
      : {
          name: 'traces',
          setting: tracing.setting,
          remedy: 'check its host, port and path, and that it receives OTLP over HTTP',
          look: () => checkTraces(tracing),
        },
    ...(config.signIn.providers.length === 0
      ? [off('single sign-on', 'OIDC_ISSUER is not set; members sign in with a password or a passkey')]
      : config.signIn.providers.map(providerOf)),
  ];
}

function off(name: string, message: string): Finding {
  return { name, status: 'OFF', message };
}

function replicaOf({ databaseUrl, databaseReadUrl }: Config): Part | Finding {
  if (databaseUrl === undefined || databaseReadUrl === undefined)
    return off('read replica', 'DATABASE_READ_URL is not set; everything is read from the database');
  return {
    name: 'read replica',
    setting: 'DATABASE_READ_URL',
    remedy: 'check its host, port, user, password and name, and that it is a running replica with hot_standby',
    look: () => checkReplica(databaseReadUrl, databaseUrl),
  };
}

function filesOf({ filesUrl, filesKey, dataDir }: Config): Part {
  if (filesUrl === undefined) {
    return {
      name: 'files',
      setting: 'DATA_DIR',
      remedy: 'let the user of the service write in the folder',
      look: () => checkFolder(join(dataDir, 'files')),
    };
  }
  return {
    name: 'files',
    setting: 'FILES_URL',
    remedy: 'check its endpoint and region, and that the file store is running',
    look: async () => {
      // Loaded on demand, because it takes long.
      const { checkBucket } = await import('./bucket.ts');
      return checkBucket(filesUrl, filesKey);
    },
  };
}

/** A service without the package makes no PDFs, which is no error. */
async function pdfOf({ fontsDir }: Config): Promise<Part | Finding> {
  const { program, hasCjk } = await findPdfPackages(fontsDir, { info: () => {}, warn: () => {} });
  if (program === null) return off('PDF', `${pdfPackage} is not installed; no PDFs are made`);
  return {
    name: 'PDF',
    setting: 'FONTS_DIR',
    remedy: 'give a folder that the user of the service can read',
    look: async () => {
      const own = fontsDir === undefined ? '' : `; ${fontsDir} has ${(await readdir(fontsDir)).length} files`;
      if (hasCjk) return `${pdfPackage} and ${cjkPackage} are installed${own}`;
      return `${pdfPackage} is installed, but not ${cjkPackage} for Chinese, Japanese and Korean${own}`;
    },
  };
}

/** What a provider must say about itself, so that members can sign in. */
const required = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const;

function providerOf(settings: ProviderSettings): Part {
  const { issuer, slug } = settings;
  const setting = issuerVariable(slug);
  return {
    name: setting === 'OIDC_ISSUER' ? 'single sign-on' : `single sign-on ${slug}`,
    setting,
    remedy: 'give the issuer exactly as the provider states it, and let this machine reach it',
    look: async () => {
      const { discover } = await import('../adapters/openid/discover.ts');
      const http = createProviderHttp();
      try {
        const metadata = await discover(settings, http);
        const missing = required.filter((name) => metadata[name] === undefined);
        if (missing.length === 0) return `${issuer} describes itself; its client is tried when a member signs in`;
        throw new Problem(`${issuer} states no ${missing.join(' and no ')}`, 'use a provider of OpenID Connect');
      } finally {
        await http.close();
      }
    },
  };
}
