import { startApp } from './angular/serve.ts';
import { readSettings } from './server/command-line.ts';

const usage = 'Usage: npm start -- [--port 3000] [--database rivulet.sqlite] [--delay 0]';

try {
  await run();
} catch (error) {
  console.error(explain(error));
  process.exitCode = 1;
}

async function run(): Promise<void> {
  const settings = readSettings(process.argv.slice(2));
  const server = await startApp(settings);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void server.close());
  console.log(`The example runs, with data in ${settings.database}. Open it in a browser; Ctrl+C ends it.`);
  console.log(server.url);
}

function explain(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE')
    return `${message}. Choose another port with "npm start -- --port 3001"; 0 takes a free one.`;
  if (code === 'ERR_SQLITE_ERROR') return `Cannot open the database: ${message}`;
  return code.startsWith('ERR_PARSE_ARGS') || message.startsWith('--') ? `${message}\n${usage}` : message;
}
