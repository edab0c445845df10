/** Thrown out of a request whose connection is gone, so that it cannot be answered. */
export class DroppedError extends Error {
  override readonly name = 'DroppedError';
  /** Who dropped the connection: the client (it aborted), or the server (a fault switch asked for it). */
  readonly by: 'client' | 'server';

  constructor(by: 'client' | 'server', cause?: unknown) {
    super(`The ${by} dropped the connection`, { cause });
    this.by = by;
  }
}
