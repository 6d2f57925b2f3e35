import { caseFolded } from './case-folded.ts';
import { FindError } from './find-error.ts';
import { isId } from './ids.ts';
import { similar } from './similar.ts';

/** How records are named. */
export interface Naming<Item> {
  /** What messages call a record, like `data source`. */
  readonly noun: string;
  /** The container of the records for messages, like ` of "Supplier"`. */
  readonly of?: string;
  /** The words between the record and its name in messages, like `has the title`. */
  readonly relation: string;
  readonly idOf: (item: Item) => string;
  /** What people call a record, most often the first. */
  readonly namesOf: (item: Item) => readonly string[];
  /** Tells records of the same name apart. */
  readonly detailOf?: (item: Item) => string | number | undefined;
  /** Whether a record is meant only if no other has its name. */
  readonly yields?: (item: Item) => boolean;
  /** Whether the start of a name will do if only one record has it. */
  readonly byStart?: boolean;
  /** Whether there are so few records that an error can name all of them. */
  readonly areFew?: boolean;
}

const maximumShown = 10;

/** The items with a name. If none has exactly this name, those whose name differs only in case. */
export function matching<Item>(
  items: readonly Item[],
  name: string,
  namesOf: (item: Item) => readonly string[],
): Item[] {
  const wanted = name.trim();
  const having = (fits: (each: string) => boolean) => items.filter((item) => namesOf(item).some(fits));
  const exact = having((each) => each.trim() === wanted);
  return exact.length > 0 ? exact : having((each) => caseFolded(each.trim()) === caseFolded(wanted));
}

/**
 * Finds the item that a text refers to: by its id, its exact name, or its name ignoring case.
 *
 * @throws FindError if there is none, or if several have the name
 */
export function choose<Item>(items: readonly Item[], text: string, naming: Naming<Item>): Item {
  const { noun, of = '', relation, idOf, namesOf, yields, byStart = false, areFew = false } = naming;
  const wanted = text.trim().toLowerCase();
  const named = preferred(matching(items, text, namesOf), yields);
  const starting = (item: Item) => namesOf(item).some((name) => caseFolded(name).startsWith(caseFolded(wanted)));
  const found =
    items.find((item) => idOf(item) === wanted) ??
    onlyOne(named.length === 0 && byStart && wanted !== '' ? items.filter(starting) : named, text, naming);
  if (found !== undefined) return found;

  const names = [...new Set(items.flatMap(namesOf))];
  const quoted = (texts: readonly string[], separator: string) => texts.map((each) => `"${each}"`).join(separator);
  const suggestions = quoted(similar(text.trim(), names), ' or ');
  const listed = areFew ? ` The ${noun}s${of} are: ${quoted(names, ', ') || 'none'}.` : '';
  const hint = suggestions === '' ? listed : ` Did you mean ${suggestions}?`;
  const problem = `No ${noun}${of} ${isId(text) ? 'has the ID' : relation} "${text}".${hint}`;
  throw new FindError({ noun, reason: 'none', messages: [problem], suggests: hint !== '' });
}

function preferred<Item>(items: Item[], yields: (item: Item) => boolean = () => false): Item[] {
  const others = items.filter((item) => !yields(item));
  return others.length > 0 ? others : items;
}

/**
 * The item if there is only one; undefined if there is none.
 *
 * @throws FindError if there are several
 */
export function onlyOne<Item>(
  items: readonly Item[],
  text: string,
  { noun, of = '', idOf, namesOf, detailOf }: Naming<Item>,
  remedy = 'use the ID of one',
): Item | undefined {
  if (items.length < 2) return items[0];
  const lines = items.slice(0, maximumShown).map((item) => {
    const detail = detailOf?.(item);
    return `${idOf(item)}  ${namesOf(item)[0]}${detail === undefined ? '' : ` (${detail})`}`;
  });
  const more = items.length > maximumShown ? [`… and ${items.length - maximumShown} more`] : [];
  const messages = [`"${text}" fits several ${noun}s${of}; ${remedy}:`, ...lines, ...more];
  throw new FindError({ noun, reason: 'several', messages, suggests: true });
}
