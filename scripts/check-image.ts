/**
 * Builds the image of the service and checks a container: `npm run check:image`. The container is of an image that has
 * the embedded PostgreSQL in addition, and has no capabilities and a read-only root file system. Needs Docker or
 * Podman, and the base image, either here or in a registry. Without them, it prints a message and exits with 0. If the
 * image does not do what the guides say, it exits with 1 and the reason.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { apiOf } from '@runward/testing/api';
import { launchRun, publishProcess } from '@runward/testing/process';
import { until } from '@runward/testing/until';

const image = 'runward-check';
const embedded = `${image}-embedded`;
const base = /^ARG NODE_IMAGE=(\S+)$/m.exec(readFileSync('Dockerfile', 'utf8'))?.[1] ?? '';

const engine = ['docker', 'podman'].find((name) => succeeds(name, 'info')) ?? '';
if (!engine) skip('Neither Docker nor Podman responds');
if (!succeeds(engine, 'image', 'inspect', base) && !succeeds(engine, 'pull', base)) skip(`${base} cannot be pulled`);

// Images in the default format of Podman have no health check.
const format = engine === 'podman' ? ['--format', 'docker'] : [];
build(image);
build(embedded, '--build-arg', 'PACKAGES=server pdf fonts-cjk s3 opentelemetry embedded-postgres');

const hardened = ['--cap-drop', 'ALL', '--security-opt', 'no-new-privileges', '--read-only', '--tmpfs', '/tmp'];
const container = run(
  'run',
  '--detach',
  '--publish',
  '127.0.0.1::3000',
  '--env',
  'DATABASE_URL=embedded',
  ...hardened,
  embedded,
);
try {
  const healthCheck: unknown = JSON.parse(
    run('image', 'inspect', '--format', '{{json .Config.Healthcheck.Test}}', embedded),
  );
  assert(Array.isArray(healthCheck), 'The image has no health check.');
  const command = healthCheck.slice(1).map(String);
  await until(() => Promise.resolve(succeeds(engine, 'exec', container, ...command)), 'the health check', 120);
  assert.equal(inside('id', '-u'), '1000');
  assert.match(inside('runward-admin', 'organization', 'list'), / Demo$/m);

  const { apiKey }: { apiKey: string } = JSON.parse(inside('cat', '/data/credentials.json'));
  const baseUrl = `http://${run('port', container, '3000/tcp').split('\n')[0]}`;
  const api = apiOf(baseUrl, apiKey);
  const { templateId } = await publishProcess(api, [{ title: 'Try the image' }]);
  const { id } = await launchRun(api, templateId);
  const report = await fetch(`${baseUrl}/runs/${id}/export/pdf`, { headers: { authorization: `Bearer ${apiKey}` } });
  assert.equal(report.status, 200, 'the report of a run');
  assert.equal(Buffer.from(await report.arrayBuffer()).toString('latin1', 0, 5), '%PDF-');

  run('stop', '-t', '30', container);
  assert.equal(run('inspect', '--format', '{{.State.ExitCode}}', container), '0', 'the exit code after SIGTERM');
  const [size, baseSize] = [image, base].map((name) => Number(run('image', 'inspect', '--format', '{{.Size}}', name)));
  console.log(`${image}: ${megabytes(size)} MB, of which ${base} has ${megabytes(baseSize)} MB.`);
} catch (error) {
  spawnSync(engine, ['logs', container], { stdio: 'inherit' });
  throw error;
} finally {
  spawnSync(engine, ['rm', '--force', '--volumes', container]);
}

function build(tag: string, ...options: string[]): void {
  const stdio = ['ignore', 'inherit', 'inherit'] as const;
  execFileSync(engine, ['build', ...format, '--tag', tag, ...options, '.'], { stdio: [...stdio] });
}

function skip(reason: string): never {
  console.log(`${reason}: the image is not checked.`);
  process.exit(0);
}

function succeeds(command: string, ...args: string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore', timeout: 120_000 }).status === 0;
}

/** What a command of the engine prints. */
function run(...args: string[]): string {
  return execFileSync(engine, args, { encoding: 'utf8' }).trim();
}

function inside(...command: string[]): string {
  return run('exec', container, ...command);
}

function megabytes(bytes = 0): number {
  return Math.round(bytes / 1e6);
}
