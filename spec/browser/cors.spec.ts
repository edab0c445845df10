import { beforeEach, describe, expect, it } from 'vitest';

import { chromiumPath } from '../chromium';

import { operations } from './probe';
import { answerAll, quietly, useBrowser } from './stage';

describe.skipIf(!chromiumPath)('the requests of a page', { timeout: 10_000 }, () => {
  const stage = useBrowser();

  describe('to another origin', () => {
    /** Allows everything that the library sends by itself. */
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
    ] as const)('fail quietly without permission to read the answer: %s', async (operation, line) => {
      expect(await stage.run(operation)).toMatchObject(quietly('TypeError'));
      expect(stage.server.lines).toStrictEqual([line]);
    });

    it.each([
      ['update', 'OPTIONS /people/7'],
      ['delete', 'OPTIONS /people/7'],
      ['create', 'OPTIONS /people'],
      ['add', 'OPTIONS /people'],
    ] as const)('fail quietly when the preflight is refused: %s', async (operation, line) => {
      stage.server.cors = { 'access-control-allow-origin': stage.origins.own };
      expect(await stage.run(operation)).toMatchObject(quietly('TypeError'));
      expect(stage.server.lines).toStrictEqual([line]);
    });

    it.each(operations)('are answered when allowed: %s', async (operation) => {
      stage.server.cors = allowed();
      expect(await stage.run(operation)).toMatchObject({ outcome: '200', error: null, isWritten: true });
    });

    it('leave a record new when its create arrives without a preflight, but the answer is not allowed', async () => {
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
    ])(
      'send a preflight for a header of the caller, which %s the request',
      async (_, header, lines, report) => {
        stage.server.cors = { ...allowed(), 'access-control-allow-headers': header };
        expect(await stage.run('read', { headers: { 'x-trace': '1' } })).toMatchObject(report);
        expect(stage.server.lines).toStrictEqual(lines);
      },
    );

    it.each([
      ['hides', {}, null],
      ['shows', { 'access-control-expose-headers': 'x-total' }, '2'],
    ])('get an answer whose headers the server %s', async (_, expose, total) => {
      stage.server.cors = { ...allowed(), ...expose };
      stage.server.answer = (exchange) => {
        exchange.json([], { 'x-total': '2' });
      };
      await stage.run('list');
      expect(await stage.probe.evaluate(({ response }) => response?.headers.get('x-total'))).toBe(total);
    });

    describe('with cookies', () => {
      // Only within one site: a browser may withhold the cookies of another site whatever the request says.
      it.each([
        ['own', undefined, 'session=1'],
        ['own', 'omit', undefined],
        ['sibling', undefined, undefined],
        ['sibling', 'include', 'session=1'],
      ] as const)(
        'send them as fetch does: %s origin, credentials %s',
        async (origin, credentials, cookie) => {
          stage.server.cors = { ...allowed(), 'access-control-allow-credentials': 'true' };
          stage.server.answer = undefined;
          await stage.context.addCookies([{ name: 'session', value: '1', url: stage.origins.own }]);
          await stage.at(`${stage.origins[origin]}/people`);

          const report = stage.run('update', credentials && { credentials });
          const held = await stage.server.arrived('PUT /people/7');
          answerAll(held);

          expect(held.headers.cookie).toBe(cookie);
          expect(await report).toMatchObject({ outcome: '200', isWritten: true });
        },
      );

      it('fail if the server allows only a star', async () => {
        stage.server.cors = { ...allowed(), 'access-control-allow-origin': '*' };
        expect(await stage.run('read')).toMatchObject({ outcome: '200' });
        expect(await stage.run('list', { credentials: 'include' })).toMatchObject(quietly('TypeError'));
      });
    });
  });

  describe('with an opaque answer', () => {
    const refused = { outcome: '0', error: 'HTTP', isWritten: false, busy: [] };
    const type = () => stage.probe.evaluate(({ response }) => response?.type);

    it.each(['read', 'list', 'create', 'add'] as const)('are refused without CORS: %s', async (operation) => {
      stage.server.answer = answerAll;
      await stage.at(`${stage.origins.foreign}/people`);
      expect(await stage.run(operation, { mode: 'no-cors' })).toMatchObject(refused);
      expect(await type()).toBe('opaque');
      expect(stage.server.lines).toHaveLength(1);
    });

    it('send a create without CORS as plain text', async () => {
      await stage.at(`${stage.origins.foreign}/people`);
      await stage.begin('create', { mode: 'no-cors' });
      const { headers } = await stage.server.arrived('POST /people');
      expect(headers['content-type']).toBe('text/plain;charset=UTF-8');
    });

    it.each(['update', 'delete'] as const)('are not sent at all without CORS: %s', async (operation) => {
      await stage.at(`${stage.origins.foreign}/people`);
      expect(await stage.run(operation, { mode: 'no-cors' })).toMatchObject(quietly('TypeError'));
      expect(stage.server.lines).toStrictEqual([]);
    });

    describe('because of a redirect', () => {
      beforeEach(() => {
        stage.server.answer = ({ response }) => response.writeHead(303, { location: '/elsewhere' }).end();
      });

      it.each(['read', 'create', 'delete'] as const)(
        'are refused when redirects are manual: %s',
        async (operation) => {
          expect(await stage.run(operation, { redirect: 'manual' })).toMatchObject(refused);
          expect(await type()).toBe('opaqueredirect');
        },
      );

      it.each(['read', 'update'] as const)(
        'fail quietly when redirects are forbidden: %s',
        async (operation) => {
          expect(await stage.run(operation, { redirect: 'error' })).toMatchObject(quietly('TypeError'));
        },
      );
    });
  });

  describe('under a Content-Security-Policy', () => {
    it.each(['read', 'update'] as const)(
      'fail quietly when it allows no connection: %s',
      async (operation) => {
        await stage.open("/?csp=connect-src 'none'");
        expect(await stage.run(operation)).toMatchObject(quietly('TypeError'));
        expect(stage.server.lines).toStrictEqual([]);
      },
    );

    it("fail quietly to another origin when it allows only the page's own", async () => {
      await stage.open("/?csp=connect-src 'self'");
      stage.server.answer = answerAll;
      expect(await stage.run('list')).toMatchObject({ outcome: '200', isWritten: true });
      await stage.at(`${stage.origins.foreign}/people`);
      expect(await stage.run('update')).toMatchObject(quietly('TypeError'));
      expect(stage.server.lines).toStrictEqual(['GET /people']);
    });
  });
});
