/** Thrown out of a request whose connection is gone, so that there is nobody left to answer. */
export class DroppedError extends Error {
  override readonly name = 'DroppedError';
  /** Who let go: the client (it aborted), or the server (a fault switch asked for it). */
  readonly by: 'client' | 'server';

  constructor(by: 'client' | 'server', cause?: unknown) {
    super(`The ${by} dropped the connection`, { cause });
    this.by = by;
  }
}
