import type { Browser, BrowserContext, JSHandle, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';

import { launchChromium } from '../chromium';

import { bundledFile } from './bundled';
import { FaultServer } from './fault-server';
import type { Exchange } from './fault-server';
import type { Operation, Options, Probe, Report } from './probe';

/**
 * A browser for the specs of one block, with the library in its page and a server that the specs control. The
 * page is reloaded for each spec; its tab stays, since opening one takes long.
 */
export function useBrowser(launch = launchChromium): Stage {
  const stage = new Stage();
  beforeAll(() => stage.raise(launch), 20_000);
  beforeEach(() => stage.enter());
  afterEach(async () => {
    // Events of the page that are still on their way arrive before the answer to this.
    await Promise.all(stage.context.pages().map((page) => page.evaluate(() => undefined)));
    expect(stage.complaints.splice(0)).toStrictEqual([]);
  });
  afterAll(() => stage.clear());
  return stage;
}

/** The report on a request that has failed properly: with one error, and nothing else changed. */
export const quietly = (outcome: string): Partial<Report> => ({
  outcome,
  error: outcome,
  isSameError: true,
  isWritten: false,
  busy: [],
});

const bo = { id: 7, name: 'Bo' };

/** Answers any request with the data it asks for. */
export function answerAll(exchange: Exchange): void {
  exchange.json(exchange.line === 'GET /people' ? [bo] : bo);
}

const blank = '<!doctype html><link rel="icon" href="data:,"><title>blank</title>';

/** Everything that a spec in the browser needs. */
export class Stage {
  browser!: Browser;
  context!: BrowserContext;
  page!: Page;
  probe!: JSHandle<Probe>;
  server!: FaultServer;
  /** The origin of the page, another of the same site, and one of another site. */
  origins!: { readonly own: string; readonly sibling: string; readonly foreign: string };
  /** The unhandled rejections and uncaught errors of the pages; a spec that expects some removes them. */
  readonly complaints: string[] = [];

  async raise(launch: () => Promise<Browser>): Promise<void> {
    this.server = new FaultServer({
      '/': ['text/html', `${blank}<script src="/probe.js"></script>`],
      '/elsewhere': ['text/html', blank],
      '/probe.js': ['text/javascript', await bundledFile('page.ts')],
    });
    const [own, other] = await this.server.listen();
    this.origins = {
      own: `http://127.0.0.1:${own}`,
      sibling: `http://127.0.0.1:${other}`,
      foreign: `http://localhost:${other}`,
    };
    this.browser = await launch();
    this.context = await this.browser.newContext({ baseURL: this.origins.own });
    await this.context.exposeBinding('complain', (_, text: string) => this.complaints.push(text));
    await this.context.addInitScript(() => {
      const { complain } = globalThis as unknown as { readonly complain: (text: string) => void };
      addEventListener('unhandledrejection', ({ reason }) => {
        complain(`unhandled rejection: ${String(reason)}`);
      });
      addEventListener('error', ({ message }) => {
        complain(`uncaught error: ${message}`);
      });
    });
  }

  /** Loads the page; a tab closed by the previous spec is replaced. */
  async enter(): Promise<void> {
    this.page = this.context.pages()[0] ?? (await this.context.newPage());
    // Aborts what the previous spec left under way, which may hold every connection needed to load the page.
    await this.page.goto('about:blank');
    await this.open();
    this.server.reset();
  }

  async clear(): Promise<void> {
    await this.browser.close();
    this.server.close();
  }

  /** Reloads the page, or one like it. */
  async open(path = '/'): Promise<void> {
    await this.page.goto(path);
    await this.attach();
  }

  /** Finds the probe of the current page. */
  async attach(): Promise<void> {
    this.probe = await this.page.evaluateHandle<Probe>('probe');
  }

  /** Sets the url of the records and the list. */
  at(url: Probe['url']): Promise<void> {
    return this.probe.evaluate((probe, to) => {
      probe.url = to;
    }, url);
  }

  /** Makes a request as a promise, and reports once it has settled. */
  run(operation: Operation, options: Options = {}): Promise<Report> {
    return this.probe.evaluate((probe, [of, using]) => probe.run(of, using), [operation, options] as const);
  }

  /** Makes a request as a stream, and leaves it under way. */
  begin(operation: Operation, options: Options = {}): Promise<void> {
    return this.probe.evaluate(
      (probe, [of, using]) => {
        probe.begin(of, using);
      },
      [operation, options] as const,
    );
  }

  /** Begins the answer to the one request under way, and waits until the page has its headers. */
  async inBody(held: Exchange, part: string | Uint8Array): Promise<void> {
    const headers = this.page.waitForResponse(() => true);
    held.begin(part);
    await headers;
  }

  unsubscribe(): Promise<void> {
    return this.probe.evaluate((probe) => probe.subscription?.unsubscribe());
  }

  report(): Promise<Report> {
    return this.probe.evaluate((probe) => probe.report());
  }
}
