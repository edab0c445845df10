// @vitest-environment node
import { Component, provideZonelessChangeDetection, signal } from '@angular/core';
import { bootstrapApplication, provideClientHydration } from '@angular/platform-browser';
import type { BootstrapContext } from '@angular/platform-browser';
import { provideServerRendering, renderApplication } from '@angular/platform-server';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { injectRecord, linkId, provideRivulet, toSignals, withFetch } from 'rivulet/angular';
import type { RivuletFeature } from 'rivulet/angular';

import { Person } from '../person';

/** The roots of the pages that were rendered. */
const roots = new Set<object>();

beforeEach(() => {
  roots.clear();
  // Angular logs at each start that it is in development mode.
  vi.spyOn(console, 'log').mockReturnValue();
});

/** A page that shows the name of a person, which is parsed asynchronously. */
const Page = Component({ selector: 'app-page', template: '<b>{{ person.name() }}</b>{{ isShown() }}' })(
  class {
    readonly #record = injectRecord((root) => {
      roots.add(root);
      const parse = async (data: unknown): Promise<unknown> => {
        await Promise.resolve();
        return data;
      };
      return new Person(root, { url: 'http://server.test/people', parse }, { id: undefined, name: '' });
    });
    readonly person = toSignals(this.#record);
    readonly isShown = linkId(this.#record, signal(7));
  },
);

function render(...features: RivuletFeature[]): Promise<string> {
  const bootstrap = (context: BootstrapContext) =>
    bootstrapApplication(
      Page,
      {
        providers: [
          provideZonelessChangeDetection(),
          provideServerRendering(),
          provideClientHydration(),
          provideRivulet({}, ...features),
        ],
      },
      context,
    );
  return renderApplication(bootstrap, { document: '<app-page></app-page>', url: '/' });
}

describe('a page rendered on a server', () => {
  it.each<[string, RivuletFeature[]]>([
    ['HttpClient', []],
    ['fetch', [withFetch()]],
  ])('waits for data by way of %s, and shows it', async (_, features) => {
    const fetch = vi
      .spyOn(globalThis, 'fetch')
      .mockImplementation(() => Promise.resolve(Response.json({ id: 7, name: 'Ann' })));
    expect(await render(...features)).toContain('<b>Ann</b>true');
    expect(fetch).toHaveBeenCalledOnce();
  });

  it('includes the answer, so that the browser need not ask again', async () => {
    vi.spyOn(globalThis, 'fetch').mockImplementation(() => Promise.resolve(Response.json({ name: 'Ann' })));
    expect(await render()).toMatch(/"b":"{\\"name\\":\\"Ann\\"}"/);
  });

  it('shares no root with another', async () => {
    vi.spyOn(globalThis, 'fetch').mockImplementation(() => Promise.resolve(Response.json({})));
    await Promise.all([render(), render()]);
    expect(roots.size).toBe(2);
  });
});
