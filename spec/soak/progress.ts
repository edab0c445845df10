/** Writes a line to the error output at every tenth of the way. */
export function progressOf(what: string, total: number): (done: number) => void {
  const step = Math.max(1, Math.floor(total / 10));
  return (done) => {
    if (done % step === 0) process.stderr.write(`${what}: ${Math.round((100 * done) / total)} %\n`);
  };
}
