import type { NotificationKind } from '@runward/contract';
import { html, type raw } from 'hono/html';
import { oneLine } from '../../one-line.ts';
import { shortTimes } from '../../short-times.ts';

/** One entry of a mail. */
export interface Item {
  readonly kind: NotificationKind;
  /** The title of the task, or of the run if it is about the run as a whole. */
  readonly title: string;
  readonly runTitle: string;
  /** The path of the page that it leads to. */
  readonly path: string;
  readonly due: { readonly at: string; readonly hasTime: boolean } | null;
}

/** What all items of a mail have in common. */
export interface MailFrame {
  /** Where members reach this service, without a trailing slash. */
  readonly baseUrl: string;
  readonly organizationName: string;
  readonly timeZone: string;
}

/** What a mail consists of. The link for unsubscribing is added when it is sent. */
export interface MailContent {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** The parts of a mail, in their order. */
const headings: Readonly<Record<NotificationKind, string>> = {
  OVERDUE: 'Overdue',
  DUE_SOON: 'Due soon',
  REJECTED: 'Rejected',
  APPROVAL: 'Waiting for your approval',
  ASSIGNED: 'Assigned to you',
  MENTIONED: 'You were mentioned',
};
const kinds = Object.keys(headings) as NotificationKind[];

const longestSubject = 150;
/** How many items of a kind a mail lists. */
const listed = 50;

/** Writes a mail. Titles come from users: they are escaped in HTML, and one line everywhere. */
export function writeMail(items: readonly [Item, ...Item[]], frame: MailFrame): MailContent {
  const times = shortTimes(frame.timeZone);
  const parts = kinds.flatMap((kind) => {
    const own = items.filter((item) => item.kind === kind);
    return own.length === 0
      ? []
      : [{ heading: headings[kind], shown: own.slice(0, listed), left: own.length - listed }];
  });
  const first = parts[0]?.shown[0] ?? items[0];
  const due = ({ due }: Item) => (due ? `Due ${times.short(due.at, due.hasTime)} (${frame.timeZone})` : null);
  const more = (left: number) => (left > 0 ? `and ${left} more: ${frame.baseUrl}/console/tasks` : null);
  const why = `You get this mail because you work with Runward at ${oneLine(frame.organizationName)}.`;
  const choices = `${frame.baseUrl}/console/account`;
  const others = items.length > 1 ? ` and ${items.length - 1} more` : '';
  const text = parts.map(({ heading, shown, left }) =>
    [
      heading,
      '',
      ...shown.flatMap((item) => [
        `- ${isolated(item.title)}`,
        ...[item.title !== item.runTitle && `Run: ${isolated(item.runTitle)}`, due(item), frame.baseUrl + item.path]
          .filter((line) => typeof line === 'string')
          .map((line) => `  ${line}`),
        '',
      ]),
      ...[more(left)].filter((line) => line !== null),
    ].join('\n'),
  );
  const body = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>${headings[first.kind]}</title>
      </head>
      <body
        style="font-family: sans-serif; line-height: 1.5; overflow-wrap: anywhere; max-width: 40em; margin: 0 auto; padding: 1em"
      >
        ${parts.map(
          ({ heading, shown, left }) =>
            html`<h2 style="font-size: 1.1em; margin: 1.5em 0 0.5em">${heading}</h2>
              <ul style="list-style: none; margin: 0; padding: 0">
                ${shown.map((item) => htmlItem(item, frame, due(item)))}
              </ul>
              ${left > 0 && html`<p>${more(left)}</p>`}`,
        )}
        <hr style="border: 0; border-top: 1px solid #ccc; margin: 2em 0 1em" />
        <p style="font-size: 0.9em">${why} <a href="${choices}">Choose what you are told by mail</a></p>
      </body>
    </html>` as ReturnType<typeof raw>;
  return {
    subject: `${headings[first.kind]}: ${isolated(shortened(oneLine(first.title)))}${others}`,
    text: `${text.join('\n')}\n--\n${why}\nChoose what you are told by mail: ${choices}\n`,
    // Without the end tags, which HTML does not require, so that the link for unsubscribing can follow.
    html: body.toString().replace(/<\/body>\s*<\/html>$/, ''),
  };
}

/** A mail as it is sent, with the link that stops mails to the member. */
export function withUnsubscribeLink({ text, html: body }: Pick<MailContent, 'text' | 'html'>, url: string) {
  return {
    text: `${text}Stop all mails: ${url}\n`,
    html: `${body}<p style="font-size: 0.9em"><a href="${url}">Stop all mails</a></p></body></html>`,
  };
}

function htmlItem({ title, runTitle, path }: Item, { baseUrl }: MailFrame, due: string | null) {
  return html`<li style="margin: 0 0 1em">
    <a href="${baseUrl}${path}"><bdi>${oneLine(title)}</bdi></a>
    ${title !== runTitle && html`<br />Run: <bdi>${oneLine(runTitle)}</bdi>`} ${due !== null && html`<br />${due}`}
  </li>`;
}

const rightToLeft = /\p{Script=Hebrew}|\p{Script=Arabic}|\p{Script=Syriac}|\p{Script=Thaana}/u;

/** One line, isolated by invisible characters if it is written from right to left. */
function isolated(text: string): string {
  const line = oneLine(text);
  return rightToLeft.test(line) ? `\u2068${line}\u2069` : line;
}

function shortened(line: string): string {
  const characters = Array.from(line);
  return characters.length > longestSubject ? `${characters.slice(0, longestSubject - 1).join('')}…` : line;
}
