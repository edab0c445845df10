import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';

import { filter, firstValueFrom, fromEvent, map, scan } from 'rxjs';
import { describe, expect, it } from 'vitest';

import { isBuilt } from '../../examples/angular/build';
import { staleFiles } from '../../examples/angular/size';
import { chromiumPath } from '../chromium';

import { address, open, requestsFail, useApp } from './angular-app';
import { server } from './served';
import { attribute, count, focused, texts } from './shown';
import { page } from './tab';
import { hold } from './held';

/** The part of esbuild's metafile that is read here. */
interface Stats {
  readonly outputs: Readonly<Record<string, { readonly inputs: object }>>;
}

const people = () => page.locator('app-person-row a');
const found = () => page.locator('#people-title + [role=status]');
const search = () => page.getByLabel('Search people');

describe('the build of the Angular example', () => {
  it('is up to date; "npm run build && npm run build:app" makes it', () => {
    expect(isBuilt()).toBe(true);
  });

  it('contains the library once, from its package', () => {
    const { outputs } = JSON.parse(readFileSync('examples/angular/dist/browser-stats.json', 'utf8')) as Stats;
    const modules = Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs));
    const own = modules.filter((name) => /rivulet|^(\.\.\/)*(lib|dist)\//.test(name));
    expect(own.map((name) => name.replace(/chunk-\w+/, 'chunk')).sort()).toEqual([
      '../node_modules/rivulet/dist/angular.js',
      '../node_modules/rivulet/dist/autosave.js',
      '../node_modules/rivulet/dist/chunk.js',
      '../node_modules/rivulet/dist/etag.js',
      '../node_modules/rivulet/dist/index.js',
    ]);
  });

  it('has the documented weight', () => {
    expect(staleFiles()).toEqual([]);
  });
});

describe('npm start', { timeout: 20_000 }, () => {
  const start = (...settings: string[]) =>
    spawn(process.execPath, ['examples/start.ts', '--database', ':memory:', ...settings]);

  it('serves the app, the plain pages and the API, prints its address, and ends on SIGTERM', async () => {
    const example = start('--port', '0');
    const ended = once(example, 'exit');
    const url = await firstValueFrom(
      fromEvent(example.stdout, 'data').pipe(
        scan((text, chunk) => text + String(chunk), ''),
        map((text) => /^http:\S+$/m.exec(text)?.[0]),
        filter((found) => found !== undefined),
      ),
    );
    const [app, minimal, plain, bigList, api] = await Promise.all(
      ['/people', '/minimal/', '/plain/', '/big-list', '/api/people/7'].map(async (path) =>
        (await fetch(url + path)).text(),
      ),
    );
    expect(app).toContain('<app-root');
    expect(minimal).toContain('<h1>People</h1>');
    expect(plain).toContain('without any framework');
    expect(bigList).toContain('100,000 rows');
    expect(JSON.parse(api ?? '')).toMatchObject({ id: 7 });
    example.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  });

  it.each([
    [['--port', 'x'], /--port must be a whole number.*\nUsage: npm start/],
    [['--prot', '1'], /Unknown option '--prot'.*\nUsage: npm start/s],
    [['--database', '/nowhere/at/all'], /Cannot open the database/],
  ])('reports what is wrong with %j', async (settings, words) => {
    const example = start(...settings);
    const said = text(example.stderr);
    expect((await once(example, 'exit'))[0]).toBe(1);
    expect(await said).toMatch(words);
  });
});

describe.skipIf(!chromiumPath)('the Angular example', { timeout: 20_000 }, () => {
  useApp();

  describe('a page from the server', () => {
    it.each([
      ['/people', '>Abby Kirlin</span>'],
      ['/people?search=lisbon', '>Akeem Parisian</span>'],
      ['/people/238', 'value="abby.kirlin@example.com"'],
      ['/groceries', '>Bananas</span>'],
    ])('contains its data: %s', async (path, data) => {
      const answer = await fetch(server.url + path);
      const html = await answer.text();
      expect(answer.status).toBe(200);
      expect(html).toContain(data);
      expect(html).not.toContain('Loading…');
    });

    it.each(['/people', '/people/238', '/groceries'])(
      'is not requested again in the browser: %s',
      async (path) => {
        await open(path);
        await texts(page.locator('#network-log li').first(), /^GET \/api\/\S+came with the page$/);
        const addresses = server.requests.map(({ path: asked }) => asked);
        expect(addresses).toEqual([...new Set(addresses)]);
      },
    );

    it('keeps its elements when it becomes interactive', async () => {
      const script = await hold(page, 'GET', '/main-');
      await page.goto(server.url + '/people/238', { waitUntil: 'commit' });
      await script.arrived;
      const box = page.getByLabel('Name', { exact: true });
      const row = people().first();
      for (const element of [box, row])
        await element.evaluate((node) => Object.assign(node, { isFromServer: true }));
      script.release();
      await count(page.locator('#network-log li'), 2);
      for (const element of [box, row]) {
        expect(await element.evaluate((node) => 'isFromServer' in node)).toBe(true);
      }
    });

    it.each(['/nowhere', '/people/9999', '/people/nonsense'])(
      'has the status 404 where there is nothing: %s',
      async (path) => {
        const answer = await fetch(server.url + path);
        expect(answer.status).toBe(404);
        expect(await answer.text()).toContain('<nav');
      },
    );

    it('redirects from the root to the people', async () => {
      await open('/');
      await address('/people');
    });
  });

  describe('the list of people', () => {
    it('shows the first ones, in the order of the server, and the total', async () => {
      await open('/people');
      expect(await people().count()).toBe(50);
      await texts(people().first(), /Abby Kirlin\s+Tallinn/);
      await texts(found(), '50 of 300');
    });

    it('shows more when asked', async () => {
      await open('/people');
      await page.getByRole('button', { name: 'Show more' }).click();
      await count(people(), 100);
      await texts(found(), '100 of 300');
    });

    it('shows the matches of the server, only for the latest text', async () => {
      await open('/people');
      const first = await hold(page, 'GET', '/api/people?search=lisbon');
      await search().fill('lisbon');
      await first.arrived;
      await search().fill('abby.kirlin');
      await texts(people(), /Abby Kirlin/);
      first.release();
      await search().fill('');
      await texts(found(), '50 of 300');
      await texts(page.locator('#network-log li').filter({ hasText: 'lisbon' }), /cancelled/);
    });

    it('keeps a trailing blank, so that typing can go on', async () => {
      await open('/people');
      await search().pressSequentially('Abby ');
      await address('/people?search=Abby');
      await search().pressSequentially('K');
      await address('/people?search=Abby%20K');
      await texts(people(), /Abby Kirlin/);
    });

    it('sends one request for text typed in one go', async () => {
      await open('/people');
      await search().pressSequentially('abby.kirlin');
      await texts(people(), /Abby Kirlin/);
      expect(server.requests.filter(({ path }) => path.includes('search='))).toHaveLength(1);
    });

    it('keeps the search, and the person opened, in the address', async () => {
      await open('/people/238');
      await search().fill('abby.kirlin');
      await address('/people/238?search=abby.kirlin');
      await page.reload();
      await texts(people(), /Abby Kirlin/);
      expect(await search().inputValue()).toBe('abby.kirlin');
    });

    it('filters locally, without a request', async () => {
      await open('/people?search=lisbon');
      const all = await people().count();
      const asked = server.requests.length;
      await page.getByLabel('Former').check();
      const former = page.locator('app-person-row .former');
      await expect.poll(() => people().count()).toBe(await former.count());
      expect(await former.count()).toBeGreaterThan(0);
      expect(await former.count()).toBeLessThan(all);
      expect(server.requests).toHaveLength(asked);
    });

    it('is marked as busy only while it is loaded', async () => {
      await open('/people');
      const list = await hold(page, 'GET', '/api/people');
      await search().fill('abby.kirlin');
      await list.arrived;
      await texts(found(), 'Loading…');
      await attribute(page.locator('.list'), 'aria-busy', 'true');
      list.release();
      await texts(found(), '1 of 1');
      await attribute(page.locator('.list'), 'aria-busy', 'false');
    });

    it('stays unchanged when the server has nothing new', async () => {
      await open('/people');
      await page.route('**/api/people?*', (route) => route.fulfill({ status: 304 }));
      await search().fill('abby.kirlin');
      await texts(page.locator('.last[data-kind=good]'), /search=abby.kirlin&\S+\s+304 in/);
      expect(await people().count()).toBe(50);
      await page.unroute('**/api/people?*');
    });

    it('says when nobody is found, and shows everybody again', async () => {
      await open('/people?search=zzz');
      await page.getByRole('radio', { name: 'former' }).check();
      await page.getByRole('button', { name: 'Show everybody' }).click();
      await focused(search());
      await texts(found(), '50 of 300');
      await address('/people');
    });

    it.each(['500', 'reset'] as const)(
      'stays when a search fails by %s, which can be retried',
      async (fault) => {
        await open('/people');
        await requestsFail(fault);
        await search().fill('abby.kirlin');
        await texts(
          page.locator('.list [role=alert] p'),
          fault === '500' ? /is having trouble \(500/ : /cannot be reached/,
        );
        expect(await people().count()).toBe(50);
        await requestsFail('');
        await page.getByRole('button', { name: 'Try again' }).click();
        await texts(people(), /Abby Kirlin/);
        await count(page.locator('.list [role=alert] p'), 0);
      },
    );

    it('can be reloaded after a network failure', async () => {
      await open('/groceries');
      await page.context().setOffline(true);
      await page.getByRole('link', { name: 'People' }).click();
      await texts(page.locator('.list [role=alert] p'), /cannot be reached/);
      await page.context().setOffline(false);
      await page.getByRole('button', { name: 'Try again' }).click();
      await count(people(), 50);
      await focused(page.locator('.list'));
    });

    it.each(['/people?search=a', '/people/3?search=a'])('can be skipped at %s', async (path) => {
      await open(path);
      await page.getByRole('link', { name: 'Skip the list' }).press('Enter');
      await focused(page.locator('#person'));
      await address(path);
    });

    it('can be walked through and opened by keyboard alone', async () => {
      await open('/people');
      await search().focus();
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      await focused(page.getByRole('link', { name: 'Skip the list' }));
      await page.keyboard.press('Tab');
      await focused(people().first());
      await page.keyboard.press('End');
      await focused(people().last());
      await page.keyboard.press('Home');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowUp');
      await focused(people().nth(1));
      await page.keyboard.press('Enter');
      await texts(page.locator('#person-title'), 'Adelbert Botsford');
      await attribute(people().nth(1), 'aria-current', 'true');
    });
  });

  describe('on a narrow screen', () => {
    it('moves the focus to the person opened, and back to the list', async () => {
      await page.setViewportSize({ width: 390, height: 844 });
      await open('/people');
      await people().nth(1).press('Enter');
      await texts(page.locator('#person-title'), 'Adelbert Botsford');
      await focused(page.locator('#person'));
      await page.getByRole('link', { name: 'All people' }).press('Enter');
      await focused(page.locator('.list'));
    });
  });

  describe('the frame', () => {
    it('covers no focused element', async () => {
      await page.setViewportSize({ width: 640, height: 400 });
      await open('/people');
      const covered: string[] = [];
      for (let step = 0; step < 40; step += 1) {
        await page.keyboard.press('Tab');
        const found = await page.evaluate(() => {
          const dock = document.querySelector('app-network-dock');
          const focus = document.activeElement;
          if (!dock || !focus || focus === document.body || dock.contains(focus)) return '';
          const { bottom } = focus.getBoundingClientRect();
          return bottom > dock.getBoundingClientRect().top + 1 ? focus.outerHTML.slice(0, 80) : '';
        });
        if (found) covered.push(found);
      }
      expect(covered).toEqual([]);
    });

    it('answers 404 to an undecodable address', async () => {
      const answer = await fetch(`${server.url}/people/%E0%A4%A`);
      expect(answer.status).toBe(404);
    });

    it('leads to the plain page and back', async () => {
      await open('/people');
      await page.getByRole('link', { name: 'Without Angular' }).click();
      await page.locator('#groceries li').first().waitFor();
      await page.getByRole('link', { name: 'Angular' }).click();
      await address('/people');
    });

    it('lists the requests of the page', async () => {
      await open('/people');
      await page.getByRole('button', { name: 'Log' }).click();
      await search().fill('abby.kirlin');
      await texts(
        page.getByRole('list', { name: 'Last requests' }).locator('li').first(),
        /^GET \/api\/people\?search=abby.kirlin&_per_page=50&_sort=name\s+200 in \d+ ms$/,
      );
    });

    it.each(['/people', '/people/238', '/groceries', '/nowhere'])(
      'fits a narrow screen without sideways scrolling: %s',
      async (path) => {
        await page.setViewportSize({ width: 360, height: 740 });
        await page.goto(server.url + path);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        expect(overflow).toBe(0);
      },
    );

    it('requests nothing from other hosts', async () => {
      const hosts = new Set<string>();
      page.on('request', (request) => hosts.add(new URL(request.url()).host));
      await open('/people/238');
      expect([...hosts]).toEqual([new URL(server.url).host]);
    });
  });
});
