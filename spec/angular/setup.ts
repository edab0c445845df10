import { destroyPlatform } from '@angular/core';
import { TestBed, getTestBed } from '@angular/core/testing';
import { BrowserTestingModule, platformBrowserTesting } from '@angular/platform-browser/testing';
import { afterEach } from 'vitest';

// Where there is no page, a spec renders on a server, which must not be taken for a browser.
if ('document' in globalThis) {
  // Of the page that the file before had.
  destroyPlatform();
  getTestBed().resetTestEnvironment();
  getTestBed().initTestEnvironment(BrowserTestingModule, platformBrowserTesting());

  afterEach(() => {
    TestBed.resetTestingModule();
  });
}
