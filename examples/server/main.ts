import { readSettings, usage } from './command-line.ts';
import { startServer } from './server.ts';

try {
  await run();
} catch (error) {
  console.error(explain(error));
  process.exitCode = 1;
}

async function run(): Promise<void> {
  const settings = readSettings(process.argv.slice(2));
  const server = await startServer(settings);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void server.close());
  console.log(`Listening on ${server.url}, with data in ${settings.database}`);
}

function explain(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') return `${message}. Choose another with --port; 0 takes a free one.`;
  return code === 'ERR_SQLITE_ERROR' ? `Cannot open the database: ${message}` : `${message}\n${usage}`;
}
