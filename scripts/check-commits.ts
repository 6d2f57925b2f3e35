/**
 * Checks that commit subjects follow Conventional Commits (https://www.conventionalcommits.org): `npm run check:commits`. The version of
 * the next release and its changelog are computed from them. Older commits than the first that follows the convention are not checked,
 * and merge commits are left out. Exits with 1 and lists the subjects to reword, if there are any.
 */
import { execFileSync } from 'node:child_process';

const firstSubject = 'refactor!: organize contract, server and tests by feature';
const types = ['build', 'chore', 'ci', 'docs', 'feat', 'fix', 'perf', 'refactor', 'revert', 'style', 'test'];
const pattern = new RegExp(`^(?:${types.join('|')})(?:\\([a-z0-9][a-z0-9-]*\\))?!?: \\S.*[^.\\s]$`);

interface Commit {
  readonly hash: string;
  readonly subject: string;
}

const history = commits('HEAD');
const first = history.findLast(({ subject }) => subject.startsWith(firstSubject));
const isShallow = git('rev-parse', '--is-shallow-repository') === 'true';
if (!first && !isShallow) {
  console.error(`The history lacks the commit "${firstSubject} ...": check that HEAD descends from it.`);
  process.exit(1);
}
if (!first) console.error('This clone is shallow: only the commits in it are checked.');

const checked = first ? [...commits(`${first.hash}..HEAD`), first] : history;
const wrong = checked.filter(({ subject }) => !pattern.test(subject));
for (const { hash, subject } of wrong) console.error(`${hash.slice(0, 7)} ${subject}`);
if (wrong.length > 0) {
  console.error(
    `${wrong.length} of ${checked.length} commit subjects do not follow Conventional Commits. Reword them as "type(scope): summary", ` +
      `without a full stop; the scope is optional, and the type is one of ${types.join(', ')}.`,
  );
  process.exit(1);
}
console.log(`Commit subjects checked: ${checked.length}. All follow Conventional Commits.`);

/** The commits of a range, newest first, without merges. */
function commits(range: string): Commit[] {
  const lines = git('log', '--no-merges', '--format=%H %s', range).split('\n').filter(Boolean);
  return lines.map((line) => ({ hash: line.slice(0, line.indexOf(' ')), subject: line.slice(line.indexOf(' ') + 1) }));
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { encoding: 'utf8', maxBuffer: 2 ** 28 }).trim();
}
