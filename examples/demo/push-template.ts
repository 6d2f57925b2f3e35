import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fromSource, repository } from './child.ts';

const run = promisify(execFile);
const templateFile = join(repository, 'examples', 'templates', 'employee-onboarding.json');

/**
 * Pushes the onboarding process and publishes it as a person would, with the `runward` command. Answers the template's id.
 * Pushing an unchanged file again changes nothing.
 */
export async function pushTemplate(baseUrl: string, apiKey: string): Promise<string> {
  // What an older version of the file brought and this one does not name is pruned.
  const args = ['templates', 'push', templateFile, '--publish', '--prune', '-o', 'json'];
  const env = { ...process.env, RUNWARD_BASE_URL: baseUrl, RUNWARD_API_KEY: apiKey, RUNWARD_PROFILE: undefined };
  const command = run(process.execPath, [...fromSource('packages/cli/src/main.ts'), ...args], { env });
  const { stdout } = await command.catch((error: Error & { stderr?: string }) => {
    throw new Error(`runward ${args.join(' ')} failed: ${error.stderr?.trim() || error.message}`);
  });
  const { templateId } = JSON.parse(stdout) as { templateId: string };
  return templateId;
}
