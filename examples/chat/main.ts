/**
 * Tells a chat who has a new task: a receiver of webhooks that posts to an incoming webhook of a chat, such as Slack,
 * Mattermost or Teams. It needs RUNWARD_SIGNING_SECRET and CHAT_WEBHOOK_URL, and listens on 127.0.0.1 at PORT (4000).
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createReceiver, toNodeHandler } from '@runward/webhooks';

const chatUrl = process.env['CHAT_WEBHOOK_URL'];
if (!chatUrl) throw new Error('CHAT_WEBHOOK_URL is not set; set it to the URL of an incoming webhook of your chat.');

/** Titles and names are texts of people, so they must not be read as markup of the chat. */
const plain = (text = '') => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const receiver = createReceiver({ secret: process.env['RUNWARD_SIGNING_SECRET'] }).on(
  'task.assigned',
  async ({ data }) => {
    const { taskTitle, runTitle, assignee, assigneeGroup } = data;
    const text = `${plain((assignee ?? assigneeGroup)?.name)} has a new task: ${plain(taskTitle)} (${plain(runTitle)})`;
    const response = await fetch(chatUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text }),
    });
    // An error makes the service deliver the event again later.
    if (!response.ok) throw new Error(`The chat responded with ${response.status}.`);
  },
);

const handle = toNodeHandler(receiver);
const server = createServer((request, response) => void handle(request, response));
server.listen(Number(process.env['PORT'] ?? 4000), '127.0.0.1', () => {
  console.log(`listening for webhooks at http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
});
