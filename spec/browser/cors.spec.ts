import { beforeEach, describe, expect, it } from 'vitest';

import { chromiumPath } from '../chromium';

import { operations } from './probe';
import { answerAll, quietly, useBrowser } from './stage';

describe.skipIf(!chromiumPath)('what a page may ask for', { timeout: 10_000 }, () => {
  const stage = useBrowser();

  describe('another origin', () => {
    /** Allows everything that the library does by itself. */
    const allowed = () => ({
      'access-control-allow-origin': stage.origins.own,
      'access-control-allow-methods': 'PUT, DELETE',
      'access-control-allow-headers': 'content-type',
    });

    beforeEach(async () => {
      stage.server.answer = answerAll;
      await stage.at(`${stage.origins.foreign}/people`);
    });

    it.each([
      ['read', 'GET /people/7'],
      ['list', 'GET /people'],
    ] as const)('fails the %s quietly whose answer it does not allow', async (operation, line) => {
      expect(await stage.run(operation)).toMatchObject(quietly('TypeError'));
      expect(stage.server.lines).toStrictEqual([line]);
    });

    it.each([
      ['update', 'OPTIONS /people/7'],
      ['delete', 'OPTIONS /people/7'],
      ['create', 'OPTIONS /people'],
      ['add', 'OPTIONS /people'],
    ] as const)('fails the %s quietly whose preflight it refuses', async (operation, line) => {
      stage.server.cors = { 'access-control-allow-origin': stage.origins.own };
      expect(await stage.run(operation)).toMatchObject(quietly('TypeError'));
      expect(stage.server.lines).toStrictEqual([line]);
    });

    it.each(operations)('answers the %s that it allows', async (operation) => {
      stage.server.cors = allowed();
      expect(await stage.run(operation)).toMatchObject({ outcome: '200', error: null, isWritten: true });
    });

    it('keeps a record new whose create arrives without a preflight, but is not allowed an answer', async () => {
      const options = { headers: { 'content-type': 'text/plain' } };
      expect(await stage.run('create', options)).toMatchObject(quietly('TypeError'));
      expect(stage.server.lines).toStrictEqual(['POST /people']);
    });

    it.each([
      ['refuses', '', ['OPTIONS /people/7'], quietly('TypeError')],
      [
        'lets through',
        'x-trace',
        ['OPTIONS /people/7', 'GET /people/7'],
        { outcome: '200', isWritten: true },
      ],
    ])('is asked first for a header of the caller, and %s it', async (_, header, lines, report) => {
      stage.server.cors = { ...allowed(), 'access-control-allow-headers': header };
      expect(await stage.run('read', { headers: { 'x-trace': '1' } })).toMatchObject(report);
      expect(stage.server.lines).toStrictEqual(lines);
    });

    it.each([
      ['hides', {}, null],
      ['shows', { 'access-control-expose-headers': 'x-total' }, '2'],
    ])('%s the headers of its answer as it says', async (_, expose, total) => {
      stage.server.cors = { ...allowed(), ...expose };
      stage.server.answer = (exchange) => {
        exchange.json([], { 'x-total': '2' });
      };
      await stage.run('list');
      expect(await stage.probe.evaluate(({ response }) => response?.headers.get('x-total'))).toBe(total);
    });

    describe('is sent cookies', () => {
      // Of the same site: a browser may keep those of another site back whatever the request says.
      it.each([
        ['own', undefined, 'session=1'],
        ['own', 'omit', undefined],
        ['sibling', undefined, undefined],
        ['sibling', 'include', 'session=1'],
      ] as const)('as fetch does: %s origin, credentials %s', async (origin, credentials, cookie) => {
        stage.server.cors = { ...allowed(), 'access-control-allow-credentials': 'true' };
        stage.server.answer = undefined;
        await stage.context.addCookies([{ name: 'session', value: '1', url: stage.origins.own }]);
        await stage.at(`${stage.origins[origin]}/people`);

        const report = stage.run('update', credentials && { credentials });
        const held = await stage.server.arrived('PUT /people/7');
        answerAll(held);

        expect(held.headers.cookie).toBe(cookie);
        expect(await report).toMatchObject({ outcome: '200', isWritten: true });
      });

      it('only if the server allows more than a star', async () => {
        stage.server.cors = { ...allowed(), 'access-control-allow-origin': '*' };
        expect(await stage.run('read')).toMatchObject({ outcome: '200' });
        expect(await stage.run('list', { credentials: 'include' })).toMatchObject(quietly('TypeError'));
      });
    });
  });

  describe('an answer that the page must not look into', () => {
    const refused = { outcome: '0', error: 'HTTP', isWritten: false, busy: [] };
    const type = () => stage.probe.evaluate(({ response }) => response?.type);

    it.each(['read', 'list', 'create', 'add'] as const)('refuses the %s without CORS', async (operation) => {
      stage.server.answer = answerAll;
      await stage.at(`${stage.origins.foreign}/people`);
      expect(await stage.run(operation, { mode: 'no-cors' })).toMatchObject(refused);
      expect(await type()).toBe('opaque');
      expect(stage.server.lines).toHaveLength(1);
    });

    it('is not told that a create without CORS is JSON', async () => {
      await stage.at(`${stage.origins.foreign}/people`);
      await stage.begin('create', { mode: 'no-cors' });
      const { headers } = await stage.server.arrived('POST /people');
      expect(headers['content-type']).toBe('text/plain;charset=UTF-8');
    });

    it.each(['update', 'delete'] as const)(
      'is not even asked for by the %s without CORS',
      async (operation) => {
        await stage.at(`${stage.origins.foreign}/people`);
        expect(await stage.run(operation, { mode: 'no-cors' })).toMatchObject(quietly('TypeError'));
        expect(stage.server.lines).toStrictEqual([]);
      },
    );

    describe('and redirects', () => {
      beforeEach(() => {
        stage.server.answer = ({ response }) => response.writeHead(303, { location: '/elsewhere' }).end();
      });

      it.each(['read', 'create', 'delete'] as const)(
        'refuses the %s that redirects by hand',
        async (operation) => {
          expect(await stage.run(operation, { redirect: 'manual' })).toMatchObject(refused);
          expect(await type()).toBe('opaqueredirect');
        },
      );

      it.each(['read', 'update'] as const)(
        'fails the %s quietly that must not be redirected',
        async (operation) => {
          expect(await stage.run(operation, { redirect: 'error' })).toMatchObject(quietly('TypeError'));
        },
      );
    });
  });

  describe("a page's Content-Security-Policy", () => {
    it.each(['read', 'update'] as const)(
      'that allows no connection fails the %s quietly',
      async (operation) => {
        await stage.open("/?csp=connect-src 'none'");
        expect(await stage.run(operation)).toMatchObject(quietly('TypeError'));
        expect(stage.server.lines).toStrictEqual([]);
      },
    );

    it("that allows the page's own origin fails a request to another quietly", async () => {
      await stage.open("/?csp=connect-src 'self'");
      stage.server.answer = answerAll;
      expect(await stage.run('list')).toMatchObject({ outcome: '200', isWritten: true });
      await stage.at(`${stage.origins.foreign}/people`);
      expect(await stage.run('update')).toMatchObject(quietly('TypeError'));
      expect(stage.server.lines).toStrictEqual(['GET /people']);
    });
  });
});
