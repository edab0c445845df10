import { Component, signal } from '@angular/core';
import { TestBed } from '@angular/core/testing';
import { describe, expect, it, vi } from 'vitest';

describe('a component that is recreated for each record', () => {
  it.each([
    ['@for (key of [{ record: record() }]; track key.record) { <b>{{ key.record.id }}</b> }', 0],
    ['@for (key of [{ id: record().id }]; track key.id) { <b>{{ key.id }}</b> }', 0],
    ['@for (item of [record()]; track item) { <b>{{ item.id }}</b> }', 1],
  ])('is new, and Angular warns only of the last: %s', (template, warnings) => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    const record = signal({ id: 1 });
    const fixture = TestBed.createComponent(
      Component({ template })(
        class {
          readonly record = record;
        },
      ),
    );
    const shown = () => (fixture.nativeElement as HTMLElement).querySelector('b');
    fixture.detectChanges();
    const first = shown();
    fixture.detectChanges();
    expect(shown()).toBe(first);
    record.set({ id: 2 });
    fixture.detectChanges();

    expect([shown()?.textContent, shown() === first]).toStrictEqual(['2', false]);
    expect(warn.mock.calls.filter(([text]) => String(text).startsWith('NG0956'))).toHaveLength(warnings);
  });
});
