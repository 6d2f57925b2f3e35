import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { listenOnLoopback } from '../http-server.ts';
import { selfSigned } from '../self-signed.ts';
import { until } from '../until.ts';

/** A mail as a mail server received it. */
export interface ReceivedMail {
  /** The recipient of the envelope. */
  readonly to: string;
  /** The name with which the client greeted the server. */
  readonly client: string;
  /** The headers by their names in lower case, decoded. */
  readonly headers: ReadonlyMap<string, string>;
  /** The text part, and the HTML part. */
  readonly text: string;
  readonly html: string;
}

/** What a mail server does with a mail: replies with a code, or drops the connection after it has all of the mail. */
export type SmtpReply = number | 'drop';

/** How a mail server behaves. */
export interface SmtpBehavior {
  /** Default: accepts every mail. `count` is the number of mails so far, including this one. */
  readonly reply?: (count: number, to: string, mail: ReceivedMail) => SmtpReply | Promise<SmtpReply>;
  /** The text with which it accepts a mail. */
  readonly accepted?: string;
  /** How long it takes for each mail, in milliseconds. */
  readonly delayMs?: number;
  /** Whether connections begin with TLS. */
  readonly secure?: boolean;
  /** The password of the user `runward`. Without one, nobody signs in. */
  readonly password?: string;
}

/** A mail server on loopback. */
export interface TestSmtp extends AsyncDisposable {
  /** Where it is, with user and password. Its certificate is not checked. */
  readonly url: string;
  /** All mails that it received, also those that it did not accept. */
  readonly mails: readonly ReceivedMail[];
  /** Waits for this many mails and resolves with all. */
  wait(count: number): Promise<readonly ReceivedMail[]>;
}

/** Starts a mail server. */
export async function startSmtp(behavior: SmtpBehavior = {}): Promise<TestSmtp> {
  const { reply = () => 250, accepted = 'Accepted', delayMs = 0, secure = false, password } = behavior;
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    ...selfSigned,
    secure,
    logger: false,
    authOptional: password === undefined,
    disabledCommands: secure ? ['STARTTLS'] : [],
    onAuth: (auth, _session, done) => {
      if (auth.username === 'runward' && auth.password === password) done(null, { user: auth.username });
      else done(Object.assign(new Error('Invalid login'), { responseCode: 535 }));
    },
    onData: (stream, session, done) => void take(stream, session, done),
  });
  async function take(
    stream: SMTPServerDataStream,
    { id, envelope, hostNameAppearsAs: client }: SMTPServerSession,
    done: (error: Error | null, message?: string) => void,
  ): Promise<void> {
    const to = envelope.rcptTo[0]?.address ?? '';
    const raw = await text(stream).catch(() => null);
    // The client went away before it had sent all of the mail.
    if (raw === null) return;
    const mail = { to, client, ...parsed(raw) };
    const code = await reply(mails.push(mail), to, mail);
    await pause(delayMs, undefined, { ref: false });
    if (code === 'drop') [...server.connections].find(({ session }) => session.id === id)?._socket.destroy();
    else if (code >= 400) done(Object.assign(new Error('Not accepted'), { responseCode: code }));
    else done(null, accepted);
  }
  // Clients may go away in the middle of anything.
  server.on('error', () => {});
  const port = await listenOnLoopback(server.server);
  const login = password === undefined ? '' : `runward:${password}@`;
  return {
    url: `${secure ? 'smtps' : 'smtp'}://${login}127.0.0.1:${port}?tls.rejectUnauthorized=false`,
    mails,
    wait: (count) => until(() => mails.length >= count && mails, `${count} mails`),
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        for (const { _socket } of server.connections) _socket.destroy();
        server.close(resolve);
      }),
  };
}

function parsed(raw: string): Omit<ReceivedMail, 'to' | 'client'> {
  const { headers, body } = entity(raw);
  const [, boundary = ''] = headers.get('content-type')?.match(/boundary="(.*?)"/) ?? [];
  const parts = body.split(`--${boundary}`).map((part) => entity(part.trimStart()));
  const partOf = (type: string) => {
    const part = parts.find((each) => each.headers.get('content-type')?.startsWith(type));
    return part ? decoded(part.body, part.headers.get('content-transfer-encoding')) : '';
  };
  return { headers, text: partOf('text/plain'), html: partOf('text/html') };
}

function entity(raw: string) {
  const [head = '', ...rest] = raw.split('\r\n\r\n');
  const lines = head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n');
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), words(line.slice(colon + 1).trim())];
    }),
  );
  return { headers, body: rest.join('\r\n\r\n') };
}

/** Decodes the words of a header that are not ASCII (RFC 2047). */
function words(value: string): string {
  return value
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([bq])\?(.*?)\?=/gi, (_, kind: string, word: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(word, 'base64').toString()
        : decoded(word.replaceAll('_', ' '), 'quoted-printable'),
    );
}

function decoded(body: string, encoding: string | undefined): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString();
  if (encoding !== 'quoted-printable') return body;
  const bytes = body
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}
