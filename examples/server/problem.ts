import { STATUS_CODES } from 'node:http';

/** What is wrong with each field, keyed by its dotted path; `''` stands for the body as a whole. */
export type FieldErrors = Record<string, string[]>;

/** The body of every error answer (RFC 9457, `application/problem+json`). */
export interface Problem {
  /** `about:blank` when the status says it all, else a path that names the kind of problem. */
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  /** Only on 409 and 422. */
  readonly errors?: FieldErrors;
}

/** Optional parts of a problem; the title defaults to the standard phrase for the status. */
export interface ProblemExtras {
  readonly type?: string;
  readonly title?: string;
  readonly errors?: FieldErrors;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Throw it anywhere in a request to stop there and answer with problem+json. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly problem: Problem;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(status: number, detail: string, extras: ProblemExtras = {}) {
    super(detail);
    const { type = 'about:blank', title = STATUS_CODES[status] ?? 'Error', errors, headers = {} } = extras;
    this.problem = { type, title, status, detail, ...(errors && { errors }) };
    this.#headers = headers;
  }

  /** The answer to send. */
  toResponse(): Response {
    return new Response(JSON.stringify(this.problem), {
      status: this.problem.status,
      headers: { ...this.#headers, 'Content-Type': 'application/problem+json' },
    });
  }
}
