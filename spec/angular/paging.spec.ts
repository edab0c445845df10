import { HttpTestingController } from '@angular/common/http/testing';
import { Component } from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import { TestBed } from '@angular/core/testing';
import { describe, expect, it } from 'vitest';

import { injectRecord, provideRivulet, toSignals } from 'rivulet/angular';
import { PagedCollection, nextLink } from 'rivulet/paging';

import { withHttp } from './test-bed';

@Component({
  template: `
    @for (person of items(); track person.id) {
      <p>{{ person.name }}</p>
    }
    @if (hasMore()) {
      <button (click)="people.more()" [disabled]="state.isReading()">More</button>
    }
  `,
})
class People {
  readonly people = injectRecord(
    (root) => new PagedCollection<{ id: number; name: string }>({ url: '/api/people', next: nextLink }, root),
  );
  readonly items = toSignal(this.people, { requireSync: true });
  readonly hasMore = toSignal(this.people.hasMore$, { requireSync: true });
  readonly state = toSignals(this.people);
}

describe('a paged collection in a component', () => {
  it('reads through HttpClient, shows what it has, and is disposed of with the component', async () => {
    withHttp(provideRivulet());
    const http = TestBed.inject(HttpTestingController);
    const fixture = TestBed.createComponent(People);
    const element = fixture.nativeElement as HTMLElement;
    const button = () => element.querySelector('button');
    const shown = () => [...element.querySelectorAll('p')].map(({ textContent }) => textContent);
    await fixture.whenStable();

    button()?.click();
    fixture.detectChanges();
    expect(button()?.disabled).toBe(true);
    http
      .expectOne('/api/people')
      .flush('[{"id":1,"name":"Ann"}]', { headers: { link: '</api/people?page=2>; rel="next"' } });
    await fixture.whenStable();
    expect([shown(), button()?.disabled]).toStrictEqual([['Ann'], false]);

    button()?.click();
    http.expectOne('/api/people?page=2').flush('[{"id":2,"name":"Bo"}]');
    await fixture.whenStable();
    expect([shown(), button()]).toStrictEqual([['Ann', 'Bo'], null]);

    const { people } = fixture.componentInstance;
    fixture.destroy();
    await expect(people.fetch()).rejects.toMatchObject({ code: 'DISPOSED' });
  });
});
