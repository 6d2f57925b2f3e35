import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repository } from '@runward/testing/program';

const run = promisify(execFile);
const program = join(repository, 'packages', 'cli', 'src', 'main.ts');
const templateFile = join(repository, 'examples', 'templates', 'employee-onboarding.json');

/**
 * Applies and publishes the onboarding template with the `runward` command, like a person. Returns the id of the
 * template. Applying an unchanged file again changes nothing.
 */
export async function applyTemplate(baseUrl: string, apiKey: string): Promise<string> {
  const args = ['templates', 'apply', templateFile, '--publish', '--yes', '-o', 'json'];
  const env = { ...process.env, RUNWARD_BASE_URL: baseUrl, RUNWARD_API_KEY: apiKey, RUNWARD_PROFILE: undefined };
  const command = run(process.execPath, ['--conditions=@runward/source', program, ...args], { env });
  const { stdout } = await command.catch((error: Error & { stderr?: string }) => {
    throw new Error(`runward ${args.join(' ')} failed: ${error.stderr?.trim() || error.message}`);
  });
  const { templateId } = JSON.parse(stdout) as { templateId: string };
  return templateId;
}
