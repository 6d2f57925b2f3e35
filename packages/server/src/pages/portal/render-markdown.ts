import MarkdownIt from 'markdown-it';
import sanitize from 'sanitize-html';
import { marksIn, maximumMarks } from '../../portals/marks-in.ts';
import { html, trusted, type Markup } from '../html.ts';

/**
 * HTML in Markdown is text. Images are not loaded from elsewhere: blocks show them, and here their description remains.
 */
const parser = new MarkdownIt({ html: false });
const { validateLink } = parser;
parser.validateLink = (url) => validateLink(url) && !hasCredentials(url);
parser.renderer.rules.image = (tokens, index) => parser.utils.escapeHtml(tokens[index]?.content ?? '');

const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];
const texts = ['p', 'br', 'hr', 'strong', 'em', 's', 'a', 'code', 'pre', 'blockquote', 'ul', 'ol', 'li'];
const tables = ['table', 'thead', 'tbody', 'tr', 'th', 'td'];

/** The only elements and attributes that leave the sanitizer. */
const allowed: sanitize.IOptions = {
  allowedTags: [...headings, ...texts, ...tables],
  allowedAttributes: { a: ['href', 'title'], ol: ['start'] },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowProtocolRelative: false,
};

/**
 * Renders Markdown as safe HTML. Its headings begin at the level that is given, and have no gaps below it. What would
 * take very long to render is shown as it was written; pages stored before there was a limit may have such texts.
 */
export function renderMarkdown(markdown: string, level: number): Markup {
  if (marksIn(markdown) > maximumMarks) return html`<pre>${markdown}</pre>`;
  let last = level - 1;
  const nest = (size: number): sanitize.Transformer => {
    return (_tag, attribs) => {
      last = Math.min(last + 1, level + size, 6);
      return { tagName: `h${last}`, attribs };
    };
  };
  const transformTags = Object.fromEntries(headings.map((tag, size) => [tag, nest(size)]));
  return trusted(sanitize(parser.render(markdown), { ...allowed, transformTags }));
}

/** A user name can look like the host that a link leads to, so that a LINK may not have one either. */
function hasCredentials(url: string): boolean {
  const { username, password } = URL.parse(url) ?? URL.parse(url, 'https://host') ?? {};
  return Boolean(username) || Boolean(password);
}
