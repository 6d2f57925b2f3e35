/**
 * Checks the OpenAPI document with the tools of its users: lints it, generates clients in TypeScript and Python, and
 * compiles programs that use them. Fails on any warning. The generators have their own lock file, and are installed
 * below node_modules/.cache.
 */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openApiDocument } from '@runward/server/internal/http/openapi/document';
import { consumers } from './openapi-clients/consumers.ts';

const pythonClient = 'openapi-python-client==0.29.1';
const root = join(import.meta.dirname, '..');
const settings = join(import.meta.dirname, 'openapi-clients');
const tools = join(root, 'node_modules', '.cache', 'openapi-clients');
const run = promisify(execFile);

const folder = mkdtempSync(join(tmpdir(), 'runward-openapi-'));
const document = join(folder, 'openapi.json');
let failures = 0;

/** Runs one check. It fails if the command fails, or if its output has a warning. */
async function check(title: string, command: string, ...args: string[]): Promise<void> {
  const output = await execute(command, args);
  const failed = output.failed || /\bwarn(ing)?\b|⚠/i.test(output.text);
  if (failed) failures += 1;
  console.log(`${failed ? 'failed' : 'ok'}: ${title}${failed ? `\n${output.text}` : ''}`);
}

async function execute(command: string, args: readonly string[]): Promise<{ failed: boolean; text: string }> {
  const environment = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', CI: 'true' };
  try {
    const { stdout, stderr } = await run(command, args, { cwd: folder, env: environment, maxBuffer: 64 * 1024 * 1024 });
    return { failed: false, text: stdout + stderr };
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string };
    return { failed: true, text: `${message}\n${stdout}${stderr}` };
  }
}

/** Installs the generators of the lock file. */
async function installTools(): Promise<void> {
  mkdirSync(tools, { recursive: true });
  for (const name of ['package.json', 'package-lock.json']) cpSync(join(settings, name), join(tools, name));
  const flags = ['--prefix', tools, '--no-audit', '--no-fund', '--ignore-scripts'];
  const { failed, text } = await execute('npm', ['ci', ...flags]);
  if (failed) throw new Error(`The generators cannot be installed: ${text}`);
}

/** Installs the Python generator. Returns its command, or null if Python or the package is not available. */
async function installPython(): Promise<string | null> {
  const environment = join(tools, `python-${pythonClient.replace(/^.*==/, '')}`);
  const command = join(environment, 'bin', 'openapi-python-client');
  if (existsSync(command)) return command;
  const made = await execute('python3', ['-m', 'venv', environment]);
  const installed = made.failed
    ? made
    : await execute(join(environment, 'bin', 'pip'), ['install', '--quiet', pythonClient]);
  return installed.failed ? null : command;
}

const tool = (name: string) => join(tools, 'node_modules', '.bin', name);

try {
  writeFileSync(document, JSON.stringify(openApiDocument()));
  for (const [name, text] of Object.entries(consumers)) writeFileSync(join(folder, name), text);
  // npm ci empties node_modules, but the Python environment is elsewhere.
  await installTools();

  await check('redocly lint', tool('redocly'), 'lint', document, '--config', join(settings, 'redocly.yaml'));
  await check('openapi-typescript', tool('openapi-typescript'), document, '-o', join(folder, 'types.d.ts'));
  const client = ['-i', document, '-o', join(folder, 'client'), '-c', '@hey-api/client-fetch', '--no-log-file'];
  await check('@hey-api/openapi-ts', tool('openapi-ts'), ...client);
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2022', '--lib', 'es2022,dom,dom.iterable'];
  const resolution = ['--module', 'esnext', '--moduleResolution', 'bundler', '--allowImportingTsExtensions'];
  const programs = Object.keys(consumers).map((name) => join(folder, name));
  await check('type check of the programs', tool('tsc'), ...options, ...resolution, ...programs);

  const python = await installPython();
  if (python === null) console.log(`skipped: ${pythonClient} cannot be installed here`);
  else {
    const output = ['--output-path', join(folder, 'python'), '--config', join(settings, 'python.yaml')];
    await check(pythonClient, python, 'generate', '--path', document, ...output, '--fail-on-warning', '--meta', 'none');
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (failures > 0) process.exitCode = 1;
