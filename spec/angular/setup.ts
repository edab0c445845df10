import { destroyPlatform } from '@angular/core';
import { TestBed, getTestBed } from '@angular/core/testing';
import { BrowserTestingModule, platformBrowserTesting } from '@angular/platform-browser/testing';
import { afterEach } from 'vitest';

// Without a page, a spec renders on a server, which must not be set up as a browser.
if ('document' in globalThis) {
  // That of the previous file.
  destroyPlatform();
  getTestBed().resetTestEnvironment();
  getTestBed().initTestEnvironment(BrowserTestingModule, platformBrowserTesting());

  afterEach(() => {
    TestBed.resetTestingModule();
  });
}
