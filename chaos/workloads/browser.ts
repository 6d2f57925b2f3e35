import type { TestMember } from '@runward/testing/members';
import { formWith, newClient } from '@runward/testing/page-client';
import type { SentForm } from '../history/console-history.ts';
import type { Caller } from './client.ts';

/** A browser without scripts, in which a member has signed in. It repeats requests at any API process. */
export interface Browser {
  /** Opens a page. Rejects if it is an error page. */
  open(path: string): Promise<string>;
  /** Sends a form with the same fields until it gets a response that is no error of the service. */
  send(form: ReturnType<typeof formWith>): Promise<Pick<SentForm, 'sends' | 'status' | 'notice'>>;
}

/** A browser in which nobody has signed in. `request` repeats a request at any API process. */
export function newBrowser(caller: Caller) {
  const address = { baseUrl: '' };
  const client = newClient(address);
  const request = (send: () => ReturnType<typeof client.get>, name?: string) =>
    caller.read(async (_api, _options, baseUrl) => {
      address.baseUrl = baseUrl;
      const response = await send();
      if (response.status >= 500 || response.status === 429) throw new Error(`The status is ${response.status}.`);
      return response;
    }, name);
  return { address, client, request };
}

/** Opens a browser and signs a member in. */
export async function openBrowser(
  caller: Caller,
  { email, password }: Pick<TestMember, 'email' | 'password'>,
): Promise<Browser> {
  const { address, client, request } = newBrowser(caller);
  const signedIn = await request(() => client.signIn(email, password));
  if (signedIn.status !== 303) throw new Error(`Signing in returned ${signedIn.status}.`);

  return {
    open: async (path) => {
      const { status, html } = await request(() => client.get(path));
      if (status !== 200) throw new Error(`${path} returned ${status}.`);
      return html;
    },
    send: async (form) => {
      let sends = 0;
      let next = form;
      const send = async () => {
        sends += 1;
        const response = await client.submit(next.action, next.fields);
        // A page that says that the service is unavailable has the same form once more.
        if (response.html.includes('>Continue<')) next = formWith(response.html, '>Continue<');
        return response;
      };
      try {
        const { status, headers } = await request(send, 'send form');
        const location = new URL(headers.get('location') ?? '', address.baseUrl);
        return { sends, status, notice: location.searchParams.get('notice') };
      } catch {
        return { sends, status: null, notice: null };
      }
    },
  };
}
