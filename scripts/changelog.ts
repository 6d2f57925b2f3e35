/**
 * Writes CHANGELOG.md from the commits and the version tags: `npm run changelog`. Commits since the last tag are listed
 * as unreleased. With `--release`, which lerna passes, they are listed under the version in lerna.json.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ConventionalChangelog } from 'conventional-changelog';

const root = join(import.meta.dirname, '..');
const lerna = JSON.parse(readFileSync(join(root, 'lerna.json'), 'utf8')) as {
  readonly version: string;
  readonly command: { readonly version: { readonly changelogPreset: { readonly name: string } } };
};
const header = `# Changelog

All notable changes to Runward. Generated from the commits by \`npm run changelog\`: change a commit message, not this file.
`;

const { values } = parseArgs({ options: { release: { type: 'boolean', default: false } } });
// No date before the release, so that the heading does not change from day to day.
const heading = values.release ? { version: lerna.version } : { version: 'Unreleased', date: '' };
const changelog = new ConventionalChangelog(root)
  .loadPreset(lerna.command.version.changelogPreset)
  .tags({ prefix: 'v' })
  // No links, so that the text does not depend on the remote of this clone.
  .context({ linkReferences: false, linkCompare: false, ...heading })
  .options({ releaseCount: 0, outputUnreleased: true });

// The first release breaks nothing: there is no version before it.
const isFirst = execFileSync('git', ['tag', '--list', 'v*'], { cwd: root, encoding: 'utf8' }).trim() === '';
const breaking = /^### ⚠ BREAKING CHANGES\n.*?(?=^### )/ms;

const sections: string[] = [];
for await (const section of changelog.write())
  sections.push((isFirst ? section.replace(breaking, '') : section).trim());
writeFileSync(join(root, 'CHANGELOG.md'), `${[header.trim(), ...sections].join('\n\n')}\n`);
