import { baseOf, idKinds } from './cli-options.ts';

/** Flags that do not follow from the name of a property. */
const flags: Readonly<Record<string, string>> = {
  enabledEvents: 'event',
  events: 'event',
  ownerUserIds: 'owner',
  reason: 'reason',
  statuses: 'status',
};

/** Flags of single operations: `search` is the word for a text that a name contains. */
const ownFlags: Readonly<Record<string, string>> = { 'templates.list name': 'search' };

/** The words of choices that have another name in requests. */
const words: Readonly<Record<string, string>> = { ALL_FLOWS: 'ALL_TEMPLATES' };

/** What the flag of an option depends on. */
interface Named {
  readonly name: string;
  readonly kind?: string;
  readonly choices?: readonly string[];
  readonly description: string;
  readonly repeatable?: true;
}

/**
 * Options with the flags of hand-written commands: what takes a name has no `-id` (`--template`), and what can be
 * repeated is singular. The flag that is made of the name still works, but is hidden. If a query has a property for one
 * value and one for several, the flag is that of the latter.
 */
export function withFlags<Option extends Named>(operation: string, options: readonly Option[]) {
  const flagged = options.map((option) => Object.assign(option, wordsOf(option), { flag: flagOf(operation, option) }));
  return flagged.flatMap(({ flag, ...option }) => {
    const isTaken = flagged.some((other) => other.flag === flag && other.name !== option.name && other.repeatable);
    if (isTaken && !option.repeatable) return flag === kebab(option.name) ? [] : [{ ...option, isHidden: true }];
    return [flag === kebab(option.name) ? option : { ...option, flag }];
  });
}

function flagOf(operation: string, { name, kind }: Named): string {
  const own = ownFlags[`${operation} ${name}`] ?? flags[name];
  return own ?? kebab(kind === undefined || baseOf(name) in idKinds ? name : baseOf(name));
}

function wordsOf({ choices, description }: Named) {
  if (!choices?.some((choice) => choice in words)) return {};
  const named = Object.entries(words).reduce((text, [wire, word]) => text.replaceAll(wire, word), description);
  const wire = Object.fromEntries(choices.flatMap((choice) => (words[choice] ? [[words[choice], choice]] : [])));
  return { choices: choices.map((choice) => words[choice] ?? choice), wire, description: named };
}

/** `bulkUpdate` becomes `bulk-update`. */
export function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
