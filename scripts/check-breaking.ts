import { lastRelease } from '@runward/testing/releases/release';
import { breakingChanges, oasdiff } from './breaking/oasdiff.ts';
/**
 * Compares the OpenAPI document with that of the last release: `npm run check:breaking`. Fails if a client could break,
 * unless a commit since the release is marked as breaking; see docs/guides/stability.md.
 */
import { breaksSince, documentAt } from './breaking/release.ts';

const root = process.cwd();
const release = lastRelease(root);
if (release === null) {
  console.log('There is no tag v* yet, so there is no release to compare with.');
} else {
  const program = oasdiff(root);
  if (program === null) {
    console.log('Neither oasdiff nor Go is installed: the OpenAPI document is not compared.');
  } else {
    const changes = breakingChanges(program, documentAt(root, release), documentAt(root, null));
    const marked = breaksSince(root, release);
    console.log(changes ?? `Nothing breaks clients of ${release}.`);
    if (changes !== null && marked.length === 0) {
      console.log(
        `Keep what clients of ${release} use, or mark a commit as breaking (feat!: …), so that the changelog lists it.`,
      );
      process.exitCode = 1;
    } else if (changes !== null) {
      console.log(`These commits since ${release} are marked as breaking:\n${marked.join('\n')}`);
    }
  }
}
