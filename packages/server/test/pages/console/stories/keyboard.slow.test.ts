import { hasChromium, useBrowser } from '@runward/testing/browser';
import { newOrganization } from '@runward/testing/organization';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import type { Page } from 'playwright-core';
import { beginTask } from '../../../support/console.ts';

const app = useSharedApp(test);
const visit = useBrowser(test);
const withChromium = hasChromium ? test.serial : test.serial.skip;

/** More stops than any page of this story has. */
const maximumStops = 60;

const fields = [
  { key: 'customer', label: 'Customer', type: 'TEXT' as const, required: true },
  { key: 'visited', label: 'Visited', type: 'CHECKBOX' as const },
  {
    key: 'colour',
    label: 'Colour',
    type: 'DROPDOWN' as const,
    required: true,
    options: ['Red', 'Blue'].map((label) => ({ key: label.toLowerCase(), label })),
  },
  { key: 'notes', label: 'Notes', type: 'LONG_TEXT' as const },
];

interface Focus {
  readonly name: string;
  readonly isVisible: boolean;
}

/** What has the focus, and whether one sees that: its outline, and all of it inside the window. */
const focus = `(() => {
  const element = document.activeElement;
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  const { top, bottom, width, height } = element.getBoundingClientRect();
  const isOutlined = element.matches(':focus-visible') && outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2;
  const isInside = width > 1 && height > 1 && bottom > 0 && top < innerHeight;
  const text = element.ariaLabel ?? element.labels?.[0]?.textContent ?? element.textContent;
  return { name: text.trim().replace(/\\s+/g, ' '), isVisible: isOutlined && isInside };
})()`;

/** A person without a mouse. Remembers each stop at which one does not see the focus. */
function withKeyboard(page: Page) {
  const unseen: string[] = [];
  const focused = async () => {
    const { name, isVisible } = await page.evaluate<Focus>(focus);
    if (!isVisible) unseen.push(name);
    return name;
  };
  const press = (key: string) => page.keyboard.press(key);
  return {
    unseen,
    focused,
    press,
    type: (text: string) => page.keyboard.type(text),
    tabTo: async (wanted: string) => {
      const stops: string[] = [];
      while (stops.length < maximumStops) {
        await press('Tab');
        const name = await focused();
        if (name.startsWith(wanted)) return;
        stops.push(name);
      }
      throw new Error(`Tab did not reach "${wanted}", but: ${stops.join(', ')}.`);
    },
  };
}

withChromium(
  'a member signs in, and finds, fills in and completes a task without a mouse, and sees the focus',
  async (t) => {
    const org = await newOrganization(app);
    // The inbox lists by deadline.
    const own = (offset: string) => ({ assigneeId: org.ownerUserId, due: { from: 'LAUNCH' as const, offset } });
    const begun = await beginTask(app, org, [
      { title: 'Check the order', ...own('P1D'), fields },
      { title: 'Pack', ...own('P2D') },
    ]);
    await visit(t, async (page) => {
      const { unseen, focused, press, type, tabTo } = withKeyboard(page);
      await page.goto(`${app.baseUrl}/console/tasks`);
      t.is(await focused(), 'Email address');
      await type(org.ownerEmail);
      await tabTo('Password');
      await type(org.ownerPassword);
      await press('Enter');
      await page.getByRole('heading', { name: 'Tasks', level: 1 }).waitFor();

      await press('Tab');
      t.is(await focused(), 'Skip to content');
      await press('Enter');
      t.is(await page.evaluate('document.activeElement.id'), 'main');
      await press('Tab');
      t.regex(await focused(), /^All/, 'the next stop is the first one in the content');

      await press('/');
      t.is(await focused(), 'Runs, templates and members');
      await press('Escape');
      await tabTo('Sign out');
      await press('j');
      t.is(await focused(), 'Check the order');
      await press('j');
      t.is(await focused(), 'Pack');
      await press('k');
      await press('Enter');
      await page.getByRole('heading', { name: 'Check the order' }).waitFor();

      await tabTo('Customer');
      await type('Grace');
      await tabTo('Visited');
      await press('Space');
      await tabTo('Red');
      await press('ArrowDown');
      t.is(await focused(), 'Blue');
      await tabTo('Notes');
      await type('j and k are letters here, and ? is one too.');
      await tabTo('Complete');
      await press('Enter');
      await page.getByRole('status').getByText('The task is completed.').waitFor();
      await page.getByRole('heading', { name: 'Pack' }).waitFor();

      await tabTo('Complete');
      await press('Space');
      await page.getByText('You have no other tasks.').waitFor();
      await tabTo('Sign out');
      await press('Enter');
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      t.deepEqual(unseen, [], 'stops at which the focus is not seen');
    });
    t.deepEqual(await begun.values('Check the order'), {
      customer: 'Grace',
      visited: true,
      colour: 'blue',
      notes: 'j and k are letters here, and ? is one too.',
    });
  },
);
