import { newOrganization } from '@runward/testing/organization';
import { must } from '@runward/testing/process';
import { startReceiver } from '@runward/testing/receiver';
import { useSharedApp } from '@runward/testing/use-shared-app';
import { sign } from '@runward/webhooks';
import test from 'ava';
import { buildVerifier, isInstalled, languages, type SignedBody } from '../support/verifiers.ts';

const app = useSharedApp(test);

const secondsFromNow = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;
const flipped = (text: string) => `${text.startsWith('0') ? '1' : '0'}${text.slice(1)}`;

/** A delivery during a rotation, as the service sends it, with the secrets before and after. */
async function realDelivery(): Promise<{ before: SignedBody; after: SignedBody }> {
  const org = await newOrganization(app);
  await using receiver = await startReceiver();
  const webhook = { name: 'Zürich 東京', url: receiver.url, enabledEvents: ['run.started' as const] };
  const { id } = await must(org.api.call('webhooks', 'create', { body: webhook }));
  const { secret } = await must((await org.session()).call('organization', 'rotateSigningSecret'));
  await must(org.api.call('webhooks', 'test', { params: { id } }));
  const [delivery] = await receiver.wait(1);
  const header = (name: string) => String(delivery?.headers[name]);
  const signed = {
    timestamp: header('x-flow-timestamp'),
    signatures: [header('x-flow-signature'), header('x-flow-signature-previous')],
    body: String(delivery?.body),
  };
  return { before: { ...signed, secret: org.signingSecret }, after: { ...signed, secret } };
}

async function signedAt(delivery: SignedBody, timestamp: number): Promise<SignedBody> {
  const headers = await sign(delivery.body, { secret: delivery.secret, timestamp });
  return { ...delivery, timestamp: `${timestamp}`, signatures: [headers['x-flow-signature']] };
}

for (const [name, language] of Object.entries(languages)) {
  const ifInstalled = isInstalled(language) ? test : test.skip;
  ifInstalled(`the verification in ${name} accepts deliveries of the service, and no other`, async (t) => {
    using verifier = await buildVerifier(language);
    const { before, after } = await realDelivery();
    const cases: [title: string, signed: SignedBody, expected: boolean][] = [
      // First, because starting the programs takes long on a busy machine.
      ['a timestamp of 2 minutes ago', await signedAt(after, secondsFromNow(-120)), true],
      ['the new secret', after, true],
      ['the previous secret', before, true],
      ['a tampered body', { ...after, body: after.body.replace('run.started', 'run.stopped') }, false],
      ['tampered signatures', { ...after, signatures: after.signatures.map(flipped) }, false],
      ['no signature', { ...after, signatures: [] }, false],
      ['a signature that is none', { ...after, signatures: ['é', ''] }, false],
      ['another timestamp', { ...after, timestamp: `${Number(after.timestamp) - 1}` }, false],
      ['no timestamp', { ...after, timestamp: '' }, false],
      ['a timestamp that is none', { ...after, timestamp: `${after.timestamp}x` }, false],
      ['a timestamp of an hour ago', await signedAt(after, secondsFromNow(-3_600)), false],
      ['a timestamp in an hour', await signedAt(after, secondsFromNow(3_600)), false],
    ];
    for (const [title, signed, expected] of cases) t.is(await verifier.accepts(signed), expected, title);
  });
}
