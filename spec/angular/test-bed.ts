import '@angular/compiler';
import { TestBed, getTestBed } from '@angular/core/testing';
import { BrowserTestingModule, platformBrowserTesting } from '@angular/platform-browser/testing';

if (!getTestBed().platform) getTestBed().initTestEnvironment(BrowserTestingModule, platformBrowserTesting());

export { TestBed };
