import { lib } from 'rivulet';
import type { Interceptor } from 'rivulet';
import { defer, finalize } from 'rxjs';
import type { Observable } from 'rxjs';

import { find, part } from './dom.ts';
import { Traffic } from './traffic.ts';

/** Lets the user slow down all requests or make them fail, and see what happens to them. */
export function network(section: HTMLElement): Observable<unknown> {
  return defer(() => {
    const traffic = new Traffic();
    const before = lib.options.interceptors;
    lib.options.interceptors = [traffic.interceptor, faults(find(section, 'form', HTMLFormElement))];
    return traffic.showIn(part(section, 'traffic')).pipe(
      finalize(() => {
        lib.options.interceptors = before;
      }),
    );
  });
}

/** Adds the choices made in the form to the query, where the example server looks for them. */
function faults(form: HTMLFormElement): Interceptor {
  return (request, next) => {
    const url = new URL(request.url, document.baseURI);
    for (const name of ['delay', 'fail']) {
      const { value } = find(form, `[name=${name}]`, HTMLSelectElement);
      if (value) url.searchParams.set(`_${name}`, value);
    }
    return next({ ...request, url: url.href });
  };
}
